"""Bucket arithmetic: how counts become ranks and shares, in plain functions over arrays."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

NARROWEST_BUCKET = 250
MOST_BUCKETS = 4_096
TOP_LENGTH = 100
STORED = np.dtype(">i4")


class Deltas(NamedTuple):
    """Scores, lowest first, and how many players each of them gained."""

    scores: Counts
    players: Counts


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


def layout_for(score_min: int, score_max: int) -> BucketLayout:
    """
    Return the layout for a range of scores: 250 wide, wider if that gave too many buckets.

    Narrow buckets keep the rows short that a publication writes and a rank reads.
    """
    scores = score_max - score_min + 1
    width = min(scores, max(NARROWEST_BUCKET, -(-scores // MOST_BUCKETS)))
    return BucketLayout(score_min, width, -(-scores // width))


def deltas_of_moves(taken: Counts, given: Counts) -> Deltas:
    """Return how many players each score gained that was taken from some and given to others."""
    scores, places = np.unique(np.concatenate([taken, given]), return_inverse=True)
    lost = np.bincount(places[: len(taken)], minlength=len(scores))
    players = np.bincount(places[len(taken) :], minlength=len(scores)) - lost
    return Deltas(scores[players != 0], players[players != 0])


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


def competition_ranks(scores: Sequence[int]) -> list[int]:
    """Return the ranks of the highest scores of a board, best first: 1, 2, 2, 4."""
    tied = sum(score == scores[0] for score in scores)
    return ranks_in_window(scores, rank_of_first=1, tied_with_first=tied)


def ranks_in_window(
    scores: Sequence[int], *, rank_of_first: int, tied_with_first: int
) -> list[int]:
    """
    Return the ranks of consecutive scores of a board, best first.

    `tied_with_first` is how many players of the board have the first score, those outside
    the window included: it tells the place of the next lower score, and from there on the
    places go by counting. Where a score begins, its rank is its place.
    """
    first_tie = next((i for i, score in enumerate(scores) if score != scores[0]), len(scores))
    ranks = [rank_of_first] * first_tie
    for index in range(first_tie, len(scores)):
        place = rank_of_first + tied_with_first + index - first_tie
        ranks.append(ranks[-1] if scores[index] == scores[index - 1] else place)
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
