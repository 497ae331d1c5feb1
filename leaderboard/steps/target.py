"""The version that is being made, and what a board of it has."""

from typing import NamedTuple

from leaderboard.rules import BucketLayout


class Target(NamedTuple):
    """
    The version that is being made, and the one it follows.

    `boundary_sets` has a number for each board: that of an ordered one's boundaries at the
    version before, 0 for a counted board.
    """

    season_id: int
    namespace: int
    layout: BucketLayout
    boundary_sets: list[int]
    previous: int
    version: int


class BoardTotals(NamedTuple):
    """How many players a board has, and the sum of their scores."""

    members: int
    score_sum: int


class Counted(NamedTuple):
    """A board after it was counted, and where its boundaries are now."""

    totals: BoardTotals
    boundary_set: int
