"""The checks of an ordered board before the flip: its prefixes, its top, and some bucket."""

import numpy as np

from leaderboard import rules
from leaderboard.queries.ordered import boundaries_of, players_in_bucket
from leaderboard.queries.publication import prefixes
from leaderboard.rules import Boundaries, Counts, Keys
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.checks import MOST_IN_A_BUCKET, whole_top
from leaderboard.steps.ordered_board import bests_have, bucket_of
from leaderboard.steps.target import BoardTotals, Target

# Versions are some ten apart: a large odd factor leads from one to any other bucket.
_SPREAD = 2_654_435_761


def ordered_board_is_right(
    target: Target, board: int, boundary_set: int, totals: BoardTotals
) -> None:
    """Compare what was stored of an ordered board with itself, its top and the bests."""
    boundaries = boundaries_of(boundary_set)
    stored = prefixes(target.namespace, board, target.version).above
    _prefixes_add_up(board, boundaries, stored, totals)
    counts = rules.members_of_prefixes(stored, totals.members)
    _top_is_right(target, board, boundaries, stored, totals)
    _a_bucket_matches_bests(target, board, boundaries, counts)


def _prefixes_add_up(
    board: int, boundaries: Boundaries, stored: Counts, totals: BoardTotals
) -> None:
    if len(stored) != len(boundaries.scores):
        raise CheckFailed(
            "prefix_missing",
            f"board {board}: {len(stored)} prefixes for {len(boundaries.scores)} buckets",
        )
    ends = np.concatenate([[totals.members], stored])
    if stored[-1] != 0 or (np.diff(ends) > 0).any():
        raise CheckFailed(
            "prefix_chain", f"board {board}: the prefixes do not lead from {totals.members} to 0"
        )


def _top_is_right(
    target: Target, board: int, boundaries: Boundaries, stored: Counts, totals: BoardTotals
) -> None:
    """Compare the rank of the first of each bucket in the top with the bucket's prefix."""
    top = whole_top(target, board, totals)
    keys = Keys(np.asarray(top.scores, dtype=np.int64), np.asarray(top.tie_keys, dtype=np.int64))
    buckets, first = np.unique(rules.buckets_of(boundaries, keys), return_index=True)
    ranks = np.asarray(top.ranks, dtype=np.int64)[first]
    wrong = np.flatnonzero(ranks != stored[buckets] + 1)
    if len(wrong):
        rank, bucket = int(ranks[wrong[0]]), int(buckets[wrong[0]])
        raise CheckFailed(
            "top_ranks",
            f"board {board}: bucket {bucket} begins at place {rank} by counting, "
            f"at {stored[bucket] + 1} by the formula",
            bests_damaged=True,
        )


def _a_bucket_matches_bests(
    target: Target, board: int, boundaries: Boundaries, counts: Counts
) -> None:
    bucket = target.version * _SPREAD % 2**32 % len(counts)
    if counts[bucket] > MOST_IN_A_BUCKET:
        return
    found = players_in_bucket(bucket_of(target, board, boundaries, bucket))
    bests_have(board, bucket, int(counts[bucket]), found)
