"""Ordered boards: buckets between boundaries, which are cut when they are crowded."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboard.rules.counts import Counts, Deltas, Key, Keys
from leaderboard.rules.spread import Histogram

# An ordered board's bucket: how many players it gets, and from how many on it is split.
FIRST_BUCKETS = 64
BUCKET_SIZE = 1_000
SPLIT_ABOVE = 4_000
LOWEST_TIE_KEY = -(2**63)
HIGHEST_TIE_KEY = 2**63 - 1
END_OF_ALL: Key = (-1, 0)


class Boundaries(NamedTuple):
    """
    The best key of each bucket of an ordered board, lowest bucket first.

    A bucket goes from its boundary down to the next lower bucket's, which it does not have;
    the highest boundary stands above all keys, the lowest bucket has no end.
    """

    scores: Counts
    tie_keys: Counts

    @property
    def ends(self) -> Keys:
        """Return before which key each bucket ends: the next lower boundary, or behind all."""
        return Keys(
            np.concatenate([END_OF_ALL[:1], self.scores[:-1]]),
            np.concatenate([END_OF_ALL[1:], self.tie_keys[:-1]]),
        )

    def begin_of(self, bucket: int) -> Key:
        """Return the key at which a bucket begins."""
        return int(self.scores[bucket]), int(self.tie_keys[bucket])

    def end_of(self, bucket: int) -> Key:
        """Return the first key that a bucket lacks, or the one behind all."""
        return self.begin_of(bucket - 1) if bucket else END_OF_ALL

    def histogram(self, members: Counts, score_min: int) -> Histogram:
        """Return the scores of each bucket: those that a boundary cuts in two are in both."""
        ends = self.ends
        lowest = ends.scores + (ends.tie_keys == LOWEST_TIE_KEY)
        return Histogram(np.maximum(lowest, score_min), self.scores, members)


class Buckets(NamedTuple):
    """The buckets of an ordered board: where each begins, and how many players it has."""

    boundaries: Boundaries
    members: Counts


class Piece(NamedTuple):
    """A key that a new bucket may begin at, how many of the old one stand before it, and on it."""

    score: int
    tie_key: int
    before: int
    players: int


def first_boundaries(score_min: int, score_max: int) -> Boundaries:
    """Return equal ranges of scores, for a board on which nobody stands yet."""
    buckets = min(FIRST_BUCKETS, score_max - score_min + 1)
    scores = score_max - (score_max - score_min + 1) * np.arange(buckets)[::-1] // buckets
    return Boundaries(scores.astype(np.int64), np.full(buckets, LOWEST_TIE_KEY))


def buckets_of(boundaries: Boundaries, keys: Keys) -> Counts:
    """Return the number of the bucket that each key lies in."""
    ties = np.unique(boundaries.tie_keys)
    factor = len(ties) + 1
    # Of a key's tie key only its place among those of the boundaries matters.
    ends = -boundaries.scores * factor + np.searchsorted(ties, boundaries.tie_keys, "right")
    sought = -keys.scores * factor + np.searchsorted(ties, keys.tie_keys, "right")
    return len(ends) - np.searchsorted(ends[::-1], sought, "right")


def of_one_key(boundaries: Boundaries) -> NDArray[np.bool_]:
    """Return which buckets have room for one key only: none of their players is ever counted."""
    ends = boundaries.ends
    one_key: NDArray[np.bool_] = (ends.scores == boundaries.scores) & (
        ends.tie_keys == boundaries.tie_keys + 1
    )
    return one_key


def same_buckets(boundaries: Boundaries, others: Boundaries) -> Counts:
    """Return which of other buckets has the same range as each; -1 for those that have none."""
    numbers = {reach: number for number, reach in enumerate(_ranges(others))}
    return np.asarray([numbers.get(reach, -1) for reach in _ranges(boundaries)])


def crowded(boundaries: Boundaries, members: Counts) -> list[int]:
    """Return the buckets that have too many players, but for those of one key alone."""
    too_many = (members > SPLIT_ABOVE) & ~of_one_key(boundaries)
    found: list[int] = np.flatnonzero(too_many).tolist()
    return found


def split(
    boundary: Key, end: Key, pieces: Sequence[Piece], size: int | None = None
) -> list[Piece]:
    """
    Return where a bucket is cut, best first: at each piece, and after one with a crowd.

    A key with as many players as a bucket gets, or more, gets a bucket to itself.
    """
    begins: list[Piece] = []
    for piece in pieces:
        is_crowd = piece.players >= (size or BUCKET_SIZE)
        has_players_above = piece.before > (begins[-1].before if begins else 0)
        if has_players_above or (is_crowd and (piece.score, piece.tie_key) != boundary):
            begins.append(piece)
        after = Piece(piece.score, piece.tie_key + 1, piece.before + piece.players, 0)
        if is_crowd and (after.score, after.tie_key) != end:
            begins.append(after)
    return begins


def with_buckets(buckets: Buckets, bucket: int, begins: Sequence[Piece]) -> Buckets:
    """Return the buckets after one was cut where others begin, best first."""
    boundaries, members = buckets
    cuts = [0, *(piece.before for piece in begins), int(members[bucket])]
    sizes = np.diff(cuts)[::-1]
    lower = begins[::-1]
    added = [[piece.score for piece in lower], [piece.tie_key for piece in lower]]
    kept = (boundaries.scores, boundaries.tie_keys)
    scores, ties = (np.insert(old, bucket, new) for old, new in zip(kept, added, strict=True))
    counts = np.concatenate([members[:bucket], sizes, members[bucket + 1 :]])
    return Buckets(Boundaries(scores, ties), counts)


def with_deltas(buckets: Buckets, deltas: Deltas) -> Buckets:
    """Return the buckets after some keys gained or lost players."""
    members = buckets.members.copy()
    touched = buckets_of(buckets.boundaries, Keys(deltas.scores, deltas.tie_keys))
    np.add.at(members, touched, deltas.players)
    return buckets._replace(members=members)


def _ranges(boundaries: Boundaries) -> Iterator[tuple[int, ...]]:
    columns = (*boundaries, *boundaries.ends)
    return zip(*(column.tolist() for column in columns), strict=True)
