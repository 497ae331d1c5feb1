"""Counted boards: buckets of equal width, with a count for each score."""

from typing import NamedTuple

import numpy as np

from leaderboard.rules.counts import STORED, Counts, Deltas
from leaderboard.rules.spread import Histogram

NARROWEST_BUCKET = 250
MOST_BUCKETS = 4_096
MOST_COUNTED_SCORES = 4_000_000
SHORT = np.dtype(">u2")
MOST_SHORT = 2**16 - 1
SHORT_BITS = 16


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


def net_by_score(deltas: Deltas) -> tuple[Counts, Counts]:
    """Return the scores that gained or lost players, lowest first, and how many each."""
    scores, places = np.unique(deltas.scores, return_inverse=True)
    players = np.zeros(len(scores), dtype=np.int64)
    np.add.at(players, places, deltas.players)
    return scores[players != 0], players[players != 0]


def above_of_counts(counts: Counts) -> Counts:
    """
    Return, for each score of each bucket, how many of the bucket's players stand higher.

    `counts` has a row a bucket and a column a score, lowest first, and so has the result.
    """
    from_top = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]
    return from_top - counts


def bits_a_count(members: Counts) -> Counts:
    """Return how many bits each count of buckets has: 16 or 32, and none where nobody stands."""
    return np.select([members == 0, members <= MOST_SHORT], [0, SHORT_BITS], 32)


def encoded_above(above: Counts, bits: int) -> bytes:
    """Return the counts as buckets store them, row after row, with so many bits each."""
    return above.astype(SHORT if bits <= SHORT_BITS else STORED).tobytes() if bits else b""


def decoded_above(stored: bytes, members: int) -> Counts:
    """Return the counts of a bucket with so many players; without players it has none."""
    kind = SHORT if members <= MOST_SHORT else STORED
    return np.frombuffer(stored, dtype=kind, count=len(stored) // kind.itemsize).astype(np.int64)


def counts_of_above(above: Counts, members: Counts) -> Counts:
    """Return how many players have each score: the inverse of `above_of_counts`."""
    upper = np.concatenate([members[:, None], above[:, :-1]], axis=1)
    return upper - above
