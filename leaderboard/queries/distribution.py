"""How the players of a board are spread over its scores."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leaderboard import rules
from leaderboard.queries.board_counts import BoardCounts, board_counts, score_counts
from leaderboard.queries.published import Published
from leaderboard.queries.window import Header
from leaderboard.rules import ScoreCounts


class RangeCount(NamedTuple):
    """How many players have a score of a range with inclusive ends."""

    lowest: int
    highest: int
    players: int


class Distribution(NamedTuple):
    """Players by ranges of scores, lowest first, and the score of each percentile."""

    header: Header
    ranges: list[RangeCount]
    percentiles: Mapping[int, int | None]


def distribution(
    season: Published,
    *,
    ranges: int,
    percentiles: Sequence[int],
    version: int,
    board: int = 0,
    using: str = "reads",
) -> Distribution | None:
    """
    Return the players by equal ranges of the season's scores, and the scores of percentiles.

    The score of a percentile is the smallest one such that at least that many per cent of the
    players have it or less; None if there are no players. Two statements at one version, and
    what they read depends on the buckets there are, never on players. None if the version is
    gone; raises NoPublishedVersion while the bests or the buckets are lost.
    """
    counted = board_counts(season, version=version, board=board, using=using)
    if counted is None:
        return None
    asked = rules.equal_ranges(season.score_min, season.score_max, ranges)
    places = {share: rules.place_of_percentile(share, counted.total) for share in percentiles}
    opening = rules.buckets_to_open(
        counted.histogram, [lowest for lowest, _ in asked], filter(None, places.values())
    )
    opened = score_counts(season, counted, opening, using=using)
    if opened is None:
        return None
    return Distribution(
        counted.header,
        _range_counts(counted, opened, asked),
        {
            share: rules.score_of_place(counted.histogram, opened, place) if place else None
            for share, place in places.items()
        },
    )


def _range_counts(
    counted: BoardCounts, opened: Mapping[int, ScoreCounts], ranges: Sequence[tuple[int, int]]
) -> list[RangeCount]:
    below = [rules.players_below(counted.histogram, opened, lowest) for lowest, _ in ranges]
    upper = [*below[1:], counted.total]
    return [
        RangeCount(lowest, highest, before_next - before)
        for (lowest, highest), before, before_next in zip(ranges, below, upper, strict=True)
    ]
