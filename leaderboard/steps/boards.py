"""Count one board of a version, each by its kind, and write its top."""

from collections.abc import Sequence

from config import db
from leaderboard import rules
from leaderboard.queries.publication import TopRow, top_of_board
from leaderboard.rules import Buckets, Deltas
from leaderboard.steps import counted_board, ordered_board
from leaderboard.steps.target import BoardTotals, Counted, Target

CREATE_NAMESPACE = db.statement(__file__, "create_namespace")
INSERT_TOP = db.statement(__file__, "insert_top")


def create_namespace(namespace: int) -> None:
    """Make the partition of the buckets, after those of the scores."""
    db.require_transaction()
    db.run_script(CREATE_NAMESPACE.literal(namespace=namespace))


def count_board(
    target: Target,
    board: int,
    totals: BoardTotals,
    deltas: Deltas,
    instead: Buckets | None = None,
) -> Counted:
    """
    Write what ranks of a board are counted from at the version, and its top.

    An ordered board may get other buckets instead of its own of the version before.
    """
    boundary_set = target.boundary_sets[board]
    if boundary_set:
        boundary_set = ordered_board.count_board(target, board, totals.members, deltas, instead)
    else:
        counted_board.count_board(target, board, totals.members, deltas)
    top = top_of_board(target.season_id, target.namespace, board, target.version)
    write_top(target, board, top)
    now = BoardTotals(totals.members + deltas.members, totals.score_sum + deltas.score_sum)
    return Counted(now, boundary_set)


def write_empty_board(target: Target, board: int) -> None:
    """Write what ranks are counted from, and the top, of a board on which nobody stands."""
    kind = ordered_board if target.boundary_sets[board] else counted_board
    kind.write_empty_board(target, board)
    write_top(target, board, [])


def write_top(target: Target, board: int, rows: Sequence[TopRow]) -> None:
    """Write the highest places of a board with their shared ranks."""
    keys = [(row.score, row.tie_key) for row in rows]
    db.execute(
        INSERT_TOP.literal(namespace=target.namespace),
        version=target.version,
        board=board,
        player_ids=[row.player_id for row in rows],
        scores=[row.score for row in rows],
        tie_keys=[row.tie_key for row in rows],
        ranks=rules.competition_ranks(keys),
    )
