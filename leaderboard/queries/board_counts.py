"""How many players the buckets of a board have at a version, and of some buckets each score."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from config import db
from config.errors import NoPublishedVersion
from leaderboard import rules
from leaderboard.queries.ordered import as_boundaries, of_ranges
from leaderboard.queries.published import Published
from leaderboard.queries.ranking import of_a_board
from leaderboard.queries.window import Header
from leaderboard.rules import Boundaries, BucketLayout, Counts, Histogram, ScoreCounts

BOARD_COUNTS = of_a_board(db.statement(__file__, "board_counts"))
COUNTS_OF_BUCKETS = db.statement(__file__, "counts_of_buckets")
ORDERED_COUNTS = db.statement(__file__, "ordered_counts")
SCORES_OF_BUCKETS = of_ranges(db.statement(__file__, "scores_of_buckets"))


class BoardCounts(NamedTuple):
    """
    The players of a board by bucket, and how more is found of each.

    That is, of a counted board, the version which wrote each bucket's newest row; of an ordered
    one where each begins.
    """

    board: int
    header: Header
    histogram: Histogram
    found_by: Counts | Boundaries

    @property
    def total(self) -> int:
        """Return how many players the board has."""
        return self.header.members[self.board]


class PrefixRow(NamedTuple):
    """A slice of a counted board: the version, its prefixes, and the ages of its buckets."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    boards_present: bool
    above: bytes | None
    age: bytes | None


class BoundaryRow(NamedTuple):
    """A slice of an ordered board: the version, its boundaries, and its prefixes."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    bests_present: bool
    scores: bytes
    tie_keys: bytes
    above: bytes | None


class BucketRow(NamedTuple):
    """
    A bucket's newest row, and what it gained since.

    No bucket: none of those asked for is there.
    """

    bucket: int | None
    members: int
    above: bytes
    places: bytes
    gained: bytes
    entered: int


def board_counts(
    season: Published, *, version: int, board: int = 0, using: str = "reads"
) -> BoardCounts | None:
    """
    Return the counts of all buckets of a board in one statement; None if the version is gone.

    Raises NoPublishedVersion while the bests, or what is counted from, are lost.
    """
    read = _counted_board if season.is_counted(board) else _ordered_board
    return read(season, version, board, using)


def score_counts(
    season: Published, counted: BoardCounts, buckets: Sequence[int], *, using: str = "reads"
) -> dict[int, ScoreCounts] | None:
    """
    Return the players on each score of some buckets in one statement.

    None if the version is gone; raises NoPublishedVersion if one of the buckets is lost.
    """
    found_by = counted.found_by
    if isinstance(found_by, Boundaries):
        return _counted_in_bests(season, counted, found_by, buckets, using)
    return _counted_in_buckets(season, counted, found_by, buckets, using)


def _counted_board(season: Published, version: int, board: int, using: str) -> BoardCounts | None:
    rows = db.fetch_all(
        PrefixRow,
        BOARD_COUNTS.literal(**season.literals, board=board),
        using=using,
        version=version,
    )
    if not rows:
        return None
    prefixes = rules.decoded([row.above or b"" for row in rows])
    ages = rules.decoded([row.age or b"" for row in rows])
    layout = _layout(season, len(prefixes))
    is_whole = layout.range_of(layout.buckets - 1)[1] >= season.score_max
    if not rows[0].boards_present or not is_whole:
        raise NoPublishedVersion
    header = Header(*rows[0][:4])
    members = rules.members_of_prefixes(prefixes, header.members[board])
    histogram = layout.histogram(members, season.score_max)
    return BoardCounts(board, header, histogram, version - ages)


def _ordered_board(season: Published, version: int, board: int, using: str) -> BoardCounts | None:
    rows = db.fetch_all(
        BoundaryRow,
        ORDERED_COUNTS.literal(**season.literals, board=board),
        using=using,
        version=version,
    )
    if not rows:
        return None
    prefixes = rules.decoded([row.above or b"" for row in rows])
    boundaries = as_boundaries(
        b"".join(row.scores for row in rows), b"".join(row.tie_keys for row in rows)
    )
    if not rows[0].bests_present or len(prefixes) != len(boundaries.scores):
        raise NoPublishedVersion
    header = Header(*rows[0][:4])
    members = rules.members_of_prefixes(prefixes, header.members[board])
    histogram = boundaries.histogram(members, season.score_min)
    return BoardCounts(board, header, histogram, boundaries)


def _counted_in_buckets(
    season: Published,
    counted: BoardCounts,
    written_by: Counts,
    buckets: Sequence[int],
    using: str,
) -> dict[int, ScoreCounts] | None:
    rows = db.fetch_all(
        BucketRow,
        COUNTS_OF_BUCKETS.literal(**season.literals, board=counted.board),
        using=using,
        version=counted.header.number,
        buckets=list(buckets),
        versions=written_by[list(buckets)].tolist(),
    )
    if not rows:
        return None
    found = {row.bucket: row for row in rows}
    if not found.keys() >= set(buckets):
        raise NoPublishedVersion
    return {bucket: _score_counts(season, found[bucket]) for bucket in buckets}


def _counted_in_bests(
    season: Published,
    counted: BoardCounts,
    boundaries: Boundaries,
    buckets: Sequence[int],
    using: str,
) -> dict[int, ScoreCounts] | None:
    chosen, ends = list(buckets), boundaries.ends
    rows = db.fetch_all(
        lambda bucket, scores: (bucket, scores),
        SCORES_OF_BUCKETS.literal(**season.literals, board=counted.board),
        using=using,
        version=counted.header.number,
        buckets=chosen,
        scores=boundaries.scores[chosen].tolist(),
        tie_keys=boundaries.tie_keys[chosen].tolist(),
        end_scores=ends.scores[chosen].tolist(),
        end_tie_keys=ends.tie_keys[chosen].tolist(),
    )
    if not rows:
        return None
    found = {bucket: rules.decoded([scores]) for bucket, scores in rows if bucket is not None}
    if any(len(found[bucket]) != counted.histogram.members[bucket] for bucket in chosen):
        raise NoPublishedVersion
    return {
        bucket: ScoreCounts(*np.unique(scores, return_counts=True))
        for bucket, scores in found.items()
    }


def _layout(season: Published, buckets: int) -> BucketLayout:
    return BucketLayout(season.literals["lower_score"], season.literals["bucket_width"], buckets)


def _score_counts(season: Published, row: BucketRow) -> ScoreCounts:
    assert row.bucket is not None
    layout = _layout(season, 1 + row.bucket)
    above = rules.gained_above(layout, row.bucket, row.places, row.gained)
    if row.members:
        above = above + rules.decoded_above(row.above, row.members)
    members = np.asarray([row.members + row.entered])
    players = rules.counts_of_above(above[None, :], members)[0]
    lowest, highest = layout.range_of(row.bucket)
    return ScoreCounts(np.arange(lowest, highest + 1), players)
