"""Give an ordered board other buckets, and publish the first version that has them."""

from leaderboard.operations.relayout.board import Relaid, relayout_board
from leaderboard.operations.relayout.in_use import CannotRelayout
from leaderboard.operations.relayout.wishes import begun_at, evened_out, with_bucket_cut

__all__ = [
    "CannotRelayout",
    "Relaid",
    "begun_at",
    "evened_out",
    "relayout_board",
    "with_bucket_cut",
]
