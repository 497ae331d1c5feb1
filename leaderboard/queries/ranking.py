"""
The parts that statements about boards are made with: whether one is there, how a rank is counted.

A counted board has a count for each score, an ordered one has boundaries, and what stands
between a boundary and a key is counted in the order of the bests.
"""

from typing import NamedTuple

from config import db
from leaderboard.queries.published import Published

BOARD_PRESENT = db.statement(__file__, "board_present")
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


def of_a_board(whole: db.Statement) -> db.Statement:
    """Return a statement that begins at a version and says whether the board is there."""
    return whole.with_parts(board_present=BOARD_PRESENT)


def ranking_players(statement: db.Statement) -> ByKind:
    """Return a statement that ranks each player in its rows `shown`, for each kind of board."""
    return _by_kind(of_a_board(statement), "rank_of_shown", RANK_BY_COUNT, RANK_BY_ORDER)


def ranking_the_highest(statement: db.Statement) -> ByKind:
    """Return a statement that ranks its row `highest`, for each kind of board."""
    return begun_at_a_player(of_a_board(statement))


def begun_at_a_player(statement: db.Statement) -> ByKind:
    """Return a statement that ranks its row `highest` but does not begin at a version."""
    by_order = HIGHEST_BY_ORDER.with_parts(rank_of_shown=RANK_BY_ORDER)
    return _by_kind(statement, "rank_of_highest", HIGHEST_BY_COUNT, by_order)


def ranking_a_score(statement: db.Statement) -> ByKind:
    """Return a statement that counts who is above a score, and on it, for each kind of board."""
    by_order = SCORE_BY_ORDER.with_parts(rank_of_shown=RANK_BY_ORDER)
    return _by_kind(of_a_board(statement), "place_of_score", SCORE_BY_COUNT, by_order)


def _by_kind(
    statement: db.Statement, part: str, by_count: db.Statement, by_order: db.Statement
) -> ByKind:
    counted, ordered = (statement.with_parts(**{part: one}) for one in (by_count, by_order))
    return ByKind(counted, ordered)
