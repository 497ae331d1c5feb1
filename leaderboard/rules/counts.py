"""What buckets of both kinds have in common: keys, prefixes, and how counts are stored."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
# A score and its tie key: what two players must have in common to share a rank.
Key = tuple[int, int]
GLOBAL_BOARD = 0
TOP_LENGTH = 100
STORED = np.dtype(">i4")
TIE_KEY = np.dtype(">i8")


class Keys(NamedTuple):
    """Keys of the order of a board: arrays of equal length, in no order of their own."""

    scores: Counts
    tie_keys: Counts


class Deltas(NamedTuple):
    """Keys of a board, and how many players each of them gained; a key may occur again."""

    scores: Counts
    tie_keys: Counts
    players: Counts

    @property
    def members(self) -> int:
        """Return how many players the board gained."""
        return int(self.players.sum())

    @property
    def score_sum(self) -> int:
        """Return by how much the sum of the board's scores grew."""
        return int((self.scores * self.players).sum())


def deltas_of_moves(taken: Keys, given: Keys) -> Deltas:
    """Return what each key gained that was taken from some players and given to others."""
    signs = [np.full(len(taken.scores), -1), np.full(len(given.scores), 1)]
    return Deltas(
        np.concatenate([taken.scores, given.scores]),
        np.concatenate([taken.tie_keys, given.tie_keys]),
        np.concatenate(signs).astype(np.int64),
    )


def prefixes_of_members(members: Counts) -> Counts:
    """Return, for each bucket, how many players stand in higher buckets."""
    return np.cumsum(members[::-1])[::-1] - members


def members_of_prefixes(prefixes: Counts, total: int) -> Counts:
    """Return how many players each bucket has: the inverse of `prefixes_of_members`."""
    return np.concatenate([[total], prefixes[:-1]]) - prefixes


def encoded(values: Counts) -> bytes:
    """Return the values as they are stored: big-endian four-byte integers, row after row."""
    return values.astype(STORED).tobytes()


def decoded_keys(scores: bytes, tie_keys: bytes) -> Keys:
    """Return keys of which big-endian integers were sent: of four bytes and of eight."""
    return Keys(decoded([scores]), np.frombuffer(tie_keys, dtype=TIE_KEY).astype(np.int64))


def decoded(stored: Sequence[bytes]) -> Counts:
    """Return stored values, one after the other; an incomplete last one is left out."""
    joined = b"".join(stored)
    whole = len(joined) // STORED.itemsize
    return np.frombuffer(joined, dtype=STORED, count=whole).astype(np.int64)
