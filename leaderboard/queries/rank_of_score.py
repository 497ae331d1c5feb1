"""Where a score would stand on a board, whether anybody has it or not."""

from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion
from leaderboard.queries.published import Published
from leaderboard.queries.ranking import ranking_a_score
from leaderboard.queries.window import Header
from leaderboard.rules import HIGHEST_TIE_KEY, LOWEST_TIE_KEY
from scores.rules import NO_TIME

RANK_OF_SCORE = ranking_a_score(db.statement(__file__, "rank_of_score"))

# Between which tie keys those stand who share a rank with the score. Where ties go by time
# nobody does: whoever achieves it now comes after all whose time is known.
TIED = {"shared": [LOWEST_TIE_KEY, HIGHEST_TIE_KEY], "earliest": [NO_TIME, NO_TIME]}


class RankOfScore(NamedTuple):
    """How many players of a board stand before a score, share its rank, and stand behind it."""

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

    With the tie rule `earliest` that is where it would stand if it were achieved now. One
    statement, which costs what a player's rank does, on an ordered board two. Raises
    NoPublishedVersion while the bests or the buckets are lost.
    """
    row = db.fetch_one(
        CountedRow,
        RANK_OF_SCORE.on(season, board),
        using=using,
        score=season.scores.turned(score),
        tie_keys=TIED[season.tie_rule],
        version=version,
    )
    if row is None:
        return None
    if not row.boards_present or row.above is None or row.tied is None:
        raise NoPublishedVersion
    below = row.members[board] - row.above - row.tied
    return RankOfScore(Header(*row[:4]), row.above, row.tied, below)
