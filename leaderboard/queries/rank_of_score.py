"""Where a score would stand on a board, whether anybody has it or not."""

from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion
from leaderboard.queries.published import Published
from leaderboard.queries.window import Header

RANK_OF_SCORE = db.statement(__file__, "rank_of_score")


class RankOfScore(NamedTuple):
    """How many players of a board have a better score than one, the same, and a worse one."""

    header: Header
    above: int
    tied: int
    below: int

    @property
    def rank(self) -> int:
        """Return the rank that the score would have."""
        return 1 + self.above


class CountedRow(NamedTuple):
    """The row of the statement."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    boards_present: bool
    above: int | None
    tied: int | None


def rank_of_score(
    season: Published, score: int, *, version: int, board: int = 0, using: str = "reads"
) -> RankOfScore | None:
    """
    Return where a score of the season's range would stand; None if the version is gone.

    One statement, three index look-ups. Raises NoPublishedVersion while the bests or the
    buckets are lost.
    """
    row = db.fetch_one(
        CountedRow,
        RANK_OF_SCORE.literal(**season.literals),
        using=using,
        score=season.scores.turned(score),
        version=version,
        board=board,
    )
    if row is None:
        return None
    if not row.boards_present or row.above is None or row.tied is None:
        raise NoPublishedVersion
    below = row.members[board] - row.above - row.tied
    return RankOfScore(Header(*row[:4]), row.above, row.tied, below)
