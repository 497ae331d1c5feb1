"""How players are spread over scores: ranges, and the scores of percentiles."""

import itertools
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from leaderboard.rules.counts import Counts


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
