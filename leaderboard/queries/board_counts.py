"""How many players the buckets of a board have at a version, and of some buckets each score."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from config import db
from config.errors import NoPublishedVersion
from leaderboard import rules
from leaderboard.queries.published import Published
from leaderboard.queries.window import Header
from leaderboard.rules import BucketLayout, Counts, Histogram, ScoreCounts

BOARD_COUNTS = db.statement(__file__, "board_counts")
COUNTS_OF_BUCKETS = db.statement(__file__, "counts_of_buckets")


class BoardCounts(NamedTuple):
    """The players of a board by bucket, and which version wrote each bucket's newest row."""

    board: int
    header: Header
    histogram: Histogram
    written_by: Counts

    @property
    def total(self) -> int:
        """Return how many players the board has."""
        return self.header.members[self.board]


class PrefixRow(NamedTuple):
    """A row of the statement: the version, and a slice of its prefixes and of the ages."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    boards_present: bool
    above: bytes | None
    age: bytes | None


class BucketRow(NamedTuple):
    """A bucket's newest row; no bucket: none of those asked for is there."""

    bucket: int | None
    members: int
    above: bytes


def board_counts(
    season: Published, *, version: int, board: int = 0, using: str = "reads"
) -> BoardCounts | None:
    """
    Return the counts of all buckets of a board in one statement; None if the version is gone.

    Raises NoPublishedVersion while the bests or the buckets are lost.
    """
    rows = db.fetch_all(
        PrefixRow,
        BOARD_COUNTS.literal(**season.literals),
        using=using,
        version=version,
        board=board,
    )
    if not rows:
        return None
    prefixes = rules.decoded([row.above or b"" for row in rows])
    ages = rules.decoded([row.age or b"" for row in rows])
    layout = _layout(season, len(prefixes))
    if not rows[0].boards_present or layout is None:
        raise NoPublishedVersion
    header = Header(*rows[0][:4])
    members = rules.members_of_prefixes(prefixes, header.members[board])
    histogram = layout.histogram(members, season.score_max)
    return BoardCounts(board, header, histogram, version - ages)


def score_counts(
    season: Published, counted: BoardCounts, buckets: Sequence[int], *, using: str = "reads"
) -> dict[int, ScoreCounts] | None:
    """
    Return the players on each score of some buckets in one statement.

    None if the version is gone; raises NoPublishedVersion if one of the buckets is lost.
    """
    rows = db.fetch_all(
        BucketRow,
        COUNTS_OF_BUCKETS.literal(**season.literals),
        using=using,
        version=counted.header.number,
        board=counted.board,
        buckets=list(buckets),
        versions=counted.written_by[list(buckets)].tolist(),
    )
    if not rows:
        return None
    found = {row.bucket: row for row in rows}
    if not found.keys() >= set(buckets):
        raise NoPublishedVersion
    return {bucket: _score_counts(counted.histogram, found[bucket]) for bucket in buckets}


def _layout(season: Published, buckets: int) -> BucketLayout | None:
    lower_score, width = season.literals["lower_score"], season.literals["bucket_width"]
    layout = BucketLayout(lower_score, width, buckets)
    return layout if layout.range_of(buckets - 1)[1] >= season.score_max else None


def _score_counts(histogram: Histogram, row: BucketRow) -> ScoreCounts:
    above = rules.decoded_above(row.above, row.members)[None, :]
    players = rules.counts_of_above(above, np.asarray([row.members]))[0]
    return ScoreCounts(histogram.lowest[row.bucket] + np.arange(len(players)), players)
