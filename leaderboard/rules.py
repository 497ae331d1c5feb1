"""Bucket arithmetic: how counts become ranks and shares, in plain functions over arrays."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
# A score and its tie key: what two players must have in common to share a rank.
Key = tuple[int, int]

GLOBAL_BOARD = 0
NARROWEST_BUCKET = 250
MOST_BUCKETS = 4_096
MOST_COUNTED_SCORES = 4_000_000
TOP_LENGTH = 100
# An ordered board's bucket: how many players it gets, and from how many on it is split.
FIRST_BUCKETS = 64
BUCKET_SIZE = 1_000
SPLIT_ABOVE = 4_000
LOWEST_TIE_KEY = -(2**63)
STORED = np.dtype(">i4")


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


class Boundaries(NamedTuple):
    """
    The best key of each bucket of an ordered board, lowest bucket first.

    A bucket goes from its boundary down to the next lower bucket's, which it does not have;
    the highest boundary stands above all keys, the lowest bucket has no end.
    """

    scores: Counts
    tie_keys: Counts


class Piece(NamedTuple):
    """A key that a new bucket may begin at, how many of the old one stand before it, and on it."""

    score: int
    tie_key: int
    before: int
    players: int


class ScoreCounts(NamedTuple):
    """Scores, lowest first, and how many players have each."""

    scores: Counts
    players: Counts


class Histogram(NamedTuple):
    """
    The lowest and the highest score of each bucket, lowest first, and how many players it has.

    Buckets follow the order of the board, so one may begin with the score that the one before
    ends with, but none lies within another's scores.
    """

    lowest: Counts
    highest: Counts
    members: Counts


class BucketLayout(NamedTuple):
    """Ranges of equal width over the scores of a season, lowest first."""

    lower_score: int
    bucket_width: int
    buckets: int

    def range_of(self, bucket: int) -> tuple[int, int]:
        """Return the lowest and the highest score of a bucket, both inclusive."""
        lowest = self.lower_score + bucket * self.bucket_width
        return lowest, lowest + self.bucket_width - 1

    def histogram(self, members: Counts, score_max: int) -> Histogram:
        """Return the scores of each bucket, of the last one those up to the highest there is."""
        lowest = self.lower_score + np.arange(self.buckets) * self.bucket_width
        return Histogram(lowest, np.minimum(lowest + self.bucket_width - 1, score_max), members)


def is_counted(score_min: int, score_max: int, tie_rule: str) -> bool:
    """Return whether the global board has a count for each score: shared ties, few scores."""
    return tie_rule == "shared" and score_max - score_min < MOST_COUNTED_SCORES


def layout_for(score_min: int, score_max: int) -> BucketLayout:
    """
    Return the layout for a range of scores: 250 wide, wider if that gave too many buckets.

    Narrow buckets keep the rows short that a publication writes and a rank reads.
    """
    scores = score_max - score_min + 1
    width = min(scores, max(NARROWEST_BUCKET, -(-scores // MOST_BUCKETS)))
    return BucketLayout(score_min, width, -(-scores // width))


def deltas_of_moves(taken: Keys, given: Keys) -> Deltas:
    """Return what each key gained that was taken from some players and given to others."""
    signs = [np.full(len(taken.scores), -1), np.full(len(given.scores), 1)]
    return Deltas(
        np.concatenate([taken.scores, given.scores]),
        np.concatenate([taken.tie_keys, given.tie_keys]),
        np.concatenate(signs).astype(np.int64),
    )


def net_by_score(deltas: Deltas) -> tuple[Counts, Counts]:
    """Return the scores that gained or lost players, lowest first, and how many each."""
    scores, places = np.unique(deltas.scores, return_inverse=True)
    players = np.zeros(len(scores), dtype=np.int64)
    np.add.at(players, places, deltas.players)
    return scores[players != 0], players[players != 0]


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


def crowded(boundaries: Boundaries, members: Counts) -> list[int]:
    """Return the buckets that have too many players, but for those of one key alone."""
    lower_scores = np.concatenate([[-1], boundaries.scores[:-1]])
    lower_ties = np.concatenate([[0], boundaries.tie_keys[:-1]])
    one_key = (lower_scores == boundaries.scores) & (lower_ties == boundaries.tie_keys + 1)
    found: list[int] = np.flatnonzero((members > SPLIT_ABOVE) & ~one_key).tolist()
    return found


def split(boundary: Key, pieces: Sequence[Piece]) -> list[Piece]:
    """
    Return where a bucket is cut, best first: at each piece, and after one with a crowd.

    A key with a bucket's worth of players or more gets a bucket to itself.
    """
    begins: list[Piece] = []
    for piece in pieces:
        is_crowd = piece.players >= BUCKET_SIZE
        has_players_above = piece.before > (begins[-1].before if begins else 0)
        if has_players_above or (is_crowd and (piece.score, piece.tie_key) != boundary):
            begins.append(piece)
        if is_crowd:
            end = Piece(piece.score, piece.tie_key + 1, piece.before + piece.players, 0)
            begins.append(end)
    return begins


def with_buckets(
    boundaries: Boundaries, members: Counts, bucket: int, begins: Sequence[Piece]
) -> tuple[Boundaries, Counts]:
    """Return boundaries and members after a bucket was cut where others begin, best first."""
    cuts = [0, *(piece.before for piece in begins), int(members[bucket])]
    sizes = np.diff(cuts)[::-1]
    lower = begins[::-1]
    added = [[piece.score for piece in lower], [piece.tie_key for piece in lower]]
    kept = (boundaries.scores, boundaries.tie_keys)
    scores, ties = (np.insert(old, bucket, new) for old, new in zip(kept, added, strict=True))
    counts = np.concatenate([members[:bucket], sizes, members[bucket + 1 :]])
    return Boundaries(scores, ties), counts


def above_of_counts(counts: Counts) -> Counts:
    """
    Return, for each score of each bucket, how many of the bucket's players stand higher.

    `counts` has a row a bucket and a column a score, lowest first, and so has the result.
    """
    from_top = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
    return from_top - counts


def counts_of_above(above: Counts, members: Counts) -> Counts:
    """Return how many players have each score: the inverse of `above_of_counts`."""
    upper = np.concatenate([members[:, None], above[:, :-1]], axis=1)
    return upper - above


def prefixes_of_members(members: Counts) -> Counts:
    """Return, for each bucket, how many players stand in higher buckets."""
    return np.cumsum(members[::-1])[::-1] - members


def members_of_prefixes(prefixes: Counts, total: int) -> Counts:
    """Return how many players each bucket has: the inverse of `prefixes_of_members`."""
    return np.concatenate([[total], prefixes[:-1]]) - prefixes


def encoded(values: Counts) -> bytes:
    """Return the values as they are stored: big-endian four-byte integers, row after row."""
    return values.astype(STORED).tobytes()


def decoded(stored: Sequence[bytes]) -> Counts:
    """Return stored values, one after the other; an incomplete last one is left out."""
    joined = b"".join(stored)
    whole = len(joined) // STORED.itemsize
    return np.frombuffer(joined, dtype=STORED, count=whole).astype(np.int64)


def competition_ranks(keys: Sequence[Key]) -> list[int]:
    """Return the ranks of the highest keys of a board, best first: 1, 2, 2, 4."""
    tied = sum(key == keys[0] for key in keys)
    return ranks_in_window(keys, rank_of_first=1, tied_with_first=tied)


def ranks_in_window(keys: Sequence[Key], *, rank_of_first: int, tied_with_first: int) -> list[int]:
    """
    Return the ranks of consecutive keys of a board, best first.

    `tied_with_first` is how many players of the board have the first key, those outside the
    window included: it tells the place of the next key, and from there on the places go by
    counting. Where a key begins, its rank is its place.
    """
    first_tie = next((i for i, key in enumerate(keys) if key != keys[0]), len(keys))
    ranks = [rank_of_first] * first_tie
    for index in range(first_tie, len(keys)):
        place = rank_of_first + tied_with_first + index - first_tie
        ranks.append(ranks[-1] if keys[index] == keys[index - 1] else place)
    return ranks


def equal_ranges(lowest: int, highest: int, ranges: int) -> list[tuple[int, int]]:
    """
    Return consecutive ranges of scores with inclusive ends, as many as asked for.

    The widths differ by one at most. Of fewer scores than ranges, each has its own.
    """
    scores = highest - lowest + 1
    count = min(ranges, scores)
    firsts = [lowest + scores * number // count for number in range(count + 1)]
    return [(first, following - 1) for first, following in itertools.pairwise(firsts)]


def place_of_percentile(percentile: int, members: int) -> int:
    """Return how many players, lowest first, make up at least this many per cent of them."""
    return -(-percentile * members // 100)


def buckets_to_open(
    histogram: Histogram, scores: Iterable[int], places: Iterable[int]
) -> list[int]:
    """
    Return the buckets of which `players_below` and `score_of_place` must know every score.

    They are those that a score cuts in two, and those with several scores that have a place.
    """
    cut = (bucket for score in scores for bucket in _cut_by(histogram, score))
    holding = (_bucket_of_place(histogram, place) for place in places)
    several = histogram.lowest < histogram.highest
    filled = histogram.members > 0
    return sorted({bucket for bucket in (*cut, *holding) if several[bucket] and filled[bucket]})


def players_below(histogram: Histogram, opened: Mapping[int, ScoreCounts], score: int) -> int:
    """Return how many players have less than a score."""
    whole = int(histogram.members[histogram.highest < score].sum())
    cut = [opened[bucket] for bucket in _cut_by(histogram, score) if bucket in opened]
    return whole + sum(int(players[scores < score].sum()) for scores, players in cut)


def score_of_place(histogram: Histogram, opened: Mapping[int, ScoreCounts], place: int) -> int:
    """Return the score of the player at a place counted from the lowest, the first being 1."""
    bucket = _bucket_of_place(histogram, place)
    if bucket not in opened:
        return int(histogram.lowest[bucket])
    scores, players = opened[bucket]
    before = int(histogram.members[:bucket].sum())
    return int(scores[np.searchsorted(np.cumsum(players), place - before)])


def _cut_by(histogram: Histogram, score: int) -> range:
    first = int(np.searchsorted(histogram.highest, score))
    return range(first, int(np.searchsorted(histogram.lowest, score)))


def _bucket_of_place(histogram: Histogram, place: int) -> int:
    return int(np.searchsorted(np.cumsum(histogram.members), place))
