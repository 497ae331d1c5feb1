"""What the ledger says that some epochs did to the boards of a season."""

from typing import NamedTuple

import numpy as np

from config import db
from leaderboard import rules
from leaderboard.rules import GLOBAL_BOARD, Counts, Deltas, Keys

KEYS_MOVED = db.statement(__file__, "keys_moved")


class Side(NamedTuple):
    """Keys that were taken from players, or given to them, and the region's board of each."""

    keys: Keys
    regions: Counts

    def of_board(self, board: int) -> Keys:
        """Return the keys that concern a board: all of them the global one."""
        if board == GLOBAL_BOARD:
            return self.keys
        chosen = self.regions == board
        return Keys(self.keys.scores[chosen], self.keys.tie_keys[chosen])


class Moved(NamedTuple):
    """What some epochs did to the boards of a season."""

    taken: Side
    given: Side

    def on_board(self, board: int) -> Deltas:
        """Return what each key of a board gained."""
        return rules.deltas_of_moves(self.taken.of_board(board), self.given.of_board(board))


def keys_moved(namespace: int, after_epoch: int, to_epoch: int) -> Moved:
    """Return which keys the ledger took from players and which it gave in (after, to]."""
    found = db.fetch_one(
        _moved, KEYS_MOVED.literal(namespace=namespace), after_epoch=after_epoch, to_epoch=to_epoch
    )
    assert found is not None
    return found


def _moved(*columns: bytes) -> Moved:
    return Moved(_side(*columns[:3]), _side(*columns[3:]))


def _side(scores: bytes, tie_keys: bytes, regions: bytes) -> Side:
    boards = np.frombuffer(regions, dtype=">i2").astype(np.int64)
    return Side(rules.decoded_keys(scores, tie_keys), boards)
