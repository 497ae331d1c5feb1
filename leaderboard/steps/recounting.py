"""Count a board of a version anew, for a rebuild: from bests and undo, each board by its kind."""

import numpy as np

from leaderboard import rules
from leaderboard.models import Version
from leaderboard.queries.ordered import boundaries_of, players_in_bucket
from leaderboard.queries.publication import top_of_board
from leaderboard.queries.rebuilt import (
    boundary_sets_of,
    counts_at,
    digests_by_order,
    moves_between,
)
from leaderboard.rules import Boundaries, Buckets, Counts, Deltas
from leaderboard.steps import ordered_board
from leaderboard.steps.boards import count_board, write_empty_board, write_top
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.checks import counted_board_is_right
from leaderboard.steps.ordered_checks import ordered_board_is_right
from leaderboard.steps.target import BoardTotals, Target

NOTHING_YET = 0
# To count so many buckets one by one takes as long as to count them all at once.
MOST_RECOUNTED = 500


def recount_board(
    ledger_namespace: int, target: Target, board: int, previous: Version | None
) -> BoardTotals:
    """
    Count a board at the version: whole, or by what moved since the one that was made before.

    Its boundaries are those that it has in use. Raises CheckFailed, as a publication would.
    """
    before = BoardTotals(0, 0)
    if previous is not None:
        before = BoardTotals(previous.members[board], previous.score_sums[board])
    if not target.boundary_sets[board]:
        return _recount_counted(ledger_namespace, target, board, before)
    boundary_set = boundary_sets_of(previous)[board] if previous else 0
    counts, totals = _counts(ledger_namespace, target, board, before, boundary_set)
    if int(counts.sum()) != totals.members:
        raise CheckFailed(
            "sum_of_buckets",
            f"board {board}: buckets hold {counts.sum()} players, not {totals.members}",
        )
    ordered_board.write_counts(target, board, counts)
    write_top(
        target, board, top_of_board(target.season_id, target.namespace, board, target.version)
    )
    ordered_board_is_right(target, board, target.boundary_sets[board], totals)
    return totals


def _recount_counted(
    ledger_namespace: int, target: Target, board: int, before: BoardTotals
) -> BoardTotals:
    if target.previous == NOTHING_YET:
        # A board without players, for the first version to follow.
        write_empty_board(target._replace(version=NOTHING_YET), board)
        deltas = counts_at(target.namespace, board, target.version)
    else:
        deltas = _moves(ledger_namespace, target, board)
    totals = count_board(target, board, before, deltas).totals
    counted_board_is_right(target, board, totals)
    return totals


def _counts(
    ledger_namespace: int, target: Target, board: int, before: BoardTotals, boundary_set: int
) -> tuple[Counts, BoardTotals]:
    boundaries = boundaries_of(target.boundary_sets[board])
    if not boundary_set:
        return _counts_of_all(target, board, boundaries)
    same = rules.same_buckets(boundaries, boundaries_of(boundary_set))
    if np.count_nonzero(same < 0) > MOST_RECOUNTED:
        return _counts_of_all(target, board, boundaries)
    had = ordered_board.stored_buckets(
        target, board, target.previous, boundary_set, before.members
    )
    deltas = _moves(ledger_namespace, target, board)
    _, counts = rules.with_deltas(Buckets(boundaries, had.members[same]), deltas)
    for bucket in np.flatnonzero(same < 0).tolist():
        place = ordered_board.bucket_of(target, board, boundaries, bucket)
        counts[bucket] = players_in_bucket(place)
    members, score_sum = before
    return counts, BoardTotals(members + deltas.members, score_sum + deltas.score_sum)


def _counts_of_all(
    target: Target, board: int, boundaries: Boundaries
) -> tuple[Counts, BoardTotals]:
    boundary_set = target.boundary_sets[board]
    digests = digests_by_order(target.namespace, target.version, board, boundary_set)
    counts = np.zeros(len(boundaries.scores), dtype=np.int64)
    for bucket, digest in digests.items():
        counts[bucket] = digest.players
    score_sum = sum(int(digest.score_sum) for digest in digests.values())
    return counts, BoardTotals(int(counts.sum()), score_sum)


def _moves(ledger_namespace: int, target: Target, board: int) -> Deltas:
    return moves_between(
        target.namespace, ledger_namespace, board, target.previous, target.version
    )
