"""
How a rank is counted: the parts that every statement about ranks is made with.

A counted board has a count for each score, an ordered one has boundaries, and what stands
between a boundary and a key is counted in the order of the bests.
"""

from typing import NamedTuple

from config import db
from leaderboard.queries.published import Published

RANK_BY_COUNT = db.statement(__file__, "rank_by_count")
RANK_BY_ORDER = db.statement(__file__, "rank_by_order")
HIGHEST_BY_COUNT = db.statement(__file__, "highest_by_count")
HIGHEST_BY_ORDER = db.statement(__file__, "highest_by_order")
SCORE_BY_COUNT = db.statement(__file__, "score_by_count")
SCORE_BY_ORDER = db.statement(__file__, "score_by_order")


class ByKind(NamedTuple):
    """A statement for each kind of board."""

    counted: db.Statement
    ordered: db.Statement

    def on(self, season: Published, board: int) -> db.Statement:
        """Return the statement for a board of a season, its integers written into it."""
        kind = self.counted if season.is_counted(board) else self.ordered
        return kind.literal(**season.literals, board=board)


def ranking_players(whole: db.Statement) -> ByKind:
    """Return a statement that ranks each player in its rows `shown`, for each kind of board."""
    return ByKind(
        whole.with_parts(rank_of_shown=RANK_BY_COUNT),
        whole.with_parts(rank_of_shown=RANK_BY_ORDER),
    )


def ranking_the_highest(whole: db.Statement) -> ByKind:
    """Return a statement that ranks the highest of its rows `shown`, for each kind of board."""
    highest = HIGHEST_BY_ORDER.with_parts(rank_of_shown=RANK_BY_ORDER)
    return ByKind(
        whole.with_parts(rank_of_highest=HIGHEST_BY_COUNT),
        whole.with_parts(rank_of_highest=highest),
    )


def ranking_a_score(whole: db.Statement) -> ByKind:
    """Return a statement that counts who is above a score, and on it, for each kind of board."""
    ordered = SCORE_BY_ORDER.with_parts(rank_of_shown=RANK_BY_ORDER)
    return ByKind(
        whole.with_parts(place_of_score=SCORE_BY_COUNT),
        whole.with_parts(place_of_score=ordered),
    )
