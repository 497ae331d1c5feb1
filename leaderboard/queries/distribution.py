"""How the players of a board are spread over its scores."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leaderboard import rules
from leaderboard.queries.board_counts import board_counts, score_counts
from leaderboard.queries.published import Published
from leaderboard.queries.window import Header


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
    what they read depends on the buckets there are, and on the players of those that a range
    or a percentile cuts, never on all. None if the version is gone; raises NoPublishedVersion
    while the bests or the buckets are lost.
    """
    counted = board_counts(season, version=version, board=board, using=using)
    if counted is None:
        return None
    asked = rules.equal_ranges(season.score_min, season.score_max, ranges)
    edges = {edge for scores in asked for edge in _edges(season, scores)}
    places = {share: _place(season, share, counted.total) for share in percentiles}
    opening = rules.buckets_to_open(counted.histogram, edges, filter(None, places.values()))
    opened = score_counts(season, counted, opening, using=using)
    if opened is None:
        return None
    below = {edge: rules.players_below(counted.histogram, opened, edge) for edge in edges}
    scores = {
        share: rules.score_of_place(counted.histogram, opened, place) if place else None
        for share, place in places.items()
    }
    return Distribution(
        counted.header,
        [_range_count(season, ends, below) for ends in asked],
        {share: season.scores.turned(score) for share, score in scores.items()},
    )


def _edges(season: Published, ends: tuple[int, int]) -> tuple[int, int]:
    """Return between which stored scores a range lies: the first one, and the first after it."""
    first, last = sorted(map(season.scores.turned, ends))
    return first, last + 1


def _range_count(season: Published, ends: tuple[int, int], below: Mapping[int, int]) -> RangeCount:
    first, after = _edges(season, ends)
    return RangeCount(*ends, below[after] - below[first])


def _place(season: Published, percentile: int, members: int) -> int | None:
    """Return the place that has the score of a percentile, by stored scores, lowest first."""
    place = rules.place_of_percentile(percentile, members)
    if not place:
        return None
    return place if season.order == "desc" else members + 1 - place
