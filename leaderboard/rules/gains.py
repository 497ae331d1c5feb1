"""
Gains: what scores of a counted board gained or lost since the row of their bucket was written.

A version writes them beside its prefixes, in place of the rows of all buckets that it touched.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from leaderboard.rules.counted import BucketLayout
from leaderboard.rules.counts import Counts

# So many buckets have their prefixes in one row of a counted board. It numbers a place for each
# score of each, and one above: of the widest buckets, too, 16 bits count these.
BUCKETS_A_SLICE = 32
# A bucket with more entries is settled. As many in each bucket make a row of 3 KB: that lies in
# its page whole, and to find an entry in it takes ten comparisons.
MOST_ENTRIES = 24
# What an entry costs at every version, and a bucket's row once, beside two bytes a score: its
# header, and its entry in the index.
ENTRY_BYTES = 4
ROW_BYTES = 120
HIGHEST_GAIN = 2**15 - 1
SMALL = np.dtype(">i2")


class Gains(NamedTuple):
    """
    Scores of a board, lowest first, and how many players each gained, which is never nobody.

    A score is told by how far above the lowest of the board it lies.
    """

    offsets: Counts
    players: Counts


class Entries(NamedTuple):
    """
    Gains as they are stored, lowest first: the slice and the place of each entry, and its gain.

    So many more of the bucket's players than its row says stand at the place or higher, and at
    those before the next entry's. Each bucket with entries has one at its lowest place; that
    of its highest says 0, which is right for the buckets without entries that follow.
    """

    slices: Counts
    places: Counts
    gained: Counts


def summed(gains: Gains, more: Gains) -> Gains:
    """Return what scores gained in all."""
    offsets, turns = np.unique(np.concatenate([gains.offsets, more.offsets]), return_inverse=True)
    players = np.zeros(len(offsets), dtype=np.int64)
    np.add.at(players, turns, np.concatenate([gains.players, more.players]))
    return Gains(offsets[players != 0], players[players != 0])


def parted(layout: BucketLayout, gains: Gains, buckets: Counts) -> tuple[Gains, Gains]:
    """Return the gains of some buckets, and those of all others."""
    chosen = np.isin(gains.offsets // layout.bucket_width, buckets)
    return (
        Gains(gains.offsets[chosen], gains.players[chosen]),
        Gains(gains.offsets[~chosen], gains.players[~chosen]),
    )


def gained_by_score(layout: BucketLayout, gains: Gains, buckets: Counts) -> Counts:
    """Return what each score of some buckets gained: a row a bucket, a column a score."""
    counts = np.zeros((len(buckets), layout.bucket_width), dtype=np.int64)
    offsets, players = parted(layout, gains, buckets)[0]
    found, places = np.divmod(offsets, layout.bucket_width)
    counts[np.searchsorted(buckets, found), places] = players
    return counts


def gained_by_bucket(layout: BucketLayout, gains: Gains) -> Counts:
    """Return how many players each bucket gained."""
    counts = np.zeros(layout.buckets, dtype=np.int64)
    np.add.at(counts, gains.offsets // layout.bucket_width, gains.players)
    return counts


def buckets_to_settle(layout: BucketLayout, gains: Gains) -> Counts:
    """
    Return the buckets whose rows are to be written anew, with all gains in them.

    They are those with too many entries, or one that 16 bits do not hold; and the fullest ones,
    as many as cost no more than all entries that are kept: so rows and entries together cost
    the least, whether much changes or little, and a board that stands still soon has no entries.
    """
    slices, places, gained = entries_of(layout, gains)
    numbers = slices * BUCKETS_A_SLICE + places // _places(layout)
    entries = np.bincount(numbers, minlength=layout.buckets)
    due = entries > MOST_ENTRIES
    due[numbers[np.abs(gained) > HIGHEST_GAIN]] = True
    entries[due] = 0
    paid = ENTRY_BYTES * int(entries.sum()) // (2 * layout.bucket_width + ROW_BYTES)
    fullest = np.argsort(-entries, kind="stable")[:paid]
    due[fullest[entries[fullest] > 0]] = True
    return np.flatnonzero(due)


def entries_of(layout: BucketLayout, gains: Gains) -> Entries:
    """Return gains as they are stored: an entry above each score, and one below each bucket."""
    buckets, scores = np.divmod(gains.offsets, layout.bucket_width)
    first = np.flatnonzero(np.diff(buckets, prepend=-1))
    at_or_above = np.cumsum(gains.players[::-1])[::-1]
    higher_buckets = np.append(at_or_above[first[1:]], np.zeros(min(1, len(first)), np.int64))
    at_or_above -= np.repeat(higher_buckets, np.diff(np.append(first, len(buckets))))
    slices, in_slice = np.divmod(buckets, BUCKETS_A_SLICE)
    lowest = in_slice * _places(layout)
    return Entries(
        np.insert(slices, first, slices[first]),
        np.insert(lowest + scores + 1, first, lowest[first]),
        np.insert(at_or_above - gains.players, first, at_or_above[first]),
    )


def gains_of_entries(layout: BucketLayout, entries: Entries) -> Gains:
    """Return the gains of which these are the entries."""
    in_slice, above = np.divmod(entries.places, _places(layout))
    buckets = entries.slices * BUCKETS_A_SLICE + in_slice
    players = -np.diff(entries.gained, prepend=0)
    changed = (above > 0) & (players != 0)
    offsets = buckets * layout.bucket_width + above - 1
    return Gains(offsets[changed], players[changed])


def are_whole(layout: BucketLayout, entries: Entries) -> bool:
    """Return whether entries are what gains are stored as: in order, each bucket's complete."""
    if len(entries.gained) != len(entries.places):
        return False
    in_slice, above = np.divmod(entries.places, _places(layout))
    buckets = entries.slices * BUCKETS_A_SLICE + in_slice
    places = entries.slices * BUCKETS_A_SLICE * _places(layout) + entries.places
    first = np.diff(buckets, prepend=-1) != 0
    last = np.append(first[1:], True)
    return bool(
        (np.diff(places) > 0).all()
        and ((in_slice >= 0) & (in_slice < BUCKETS_A_SLICE)).all()
        and (buckets < layout.buckets).all()
        and (above[first] == 0).all()
        and (entries.gained[last[: len(buckets)]] == 0).all()
    )


def encoded_entries(layout: BucketLayout, entries: Entries) -> tuple[bytes, bytes, list[int]]:
    """Return places and gains, two bytes each, and after how many of them each slice ends."""
    slices = np.arange(-(-layout.buckets // BUCKETS_A_SLICE))
    ends = np.searchsorted(entries.slices, slices, "right")
    places, gained = (part.astype(SMALL).tobytes() for part in entries[1:])
    return places, gained, ends.tolist()


def decoded_entries(places: Sequence[bytes], gained: Sequence[bytes]) -> Entries:
    """Return the entries of slices, lowest first, of which places and gains were sent."""
    lengths = [len(part) // SMALL.itemsize for part in places]
    slices = np.repeat(np.arange(len(lengths)), lengths)
    return Entries(slices, _decoded(b"".join(places)), _decoded(b"".join(gained)))


def gained_within(layout: BucketLayout, bucket: int, places: bytes, gained: bytes) -> Counts:
    """
    Return how many more of a bucket's players stand at each place or higher.

    That is at each of its scores, and above all of them. The entries are the bucket's own.
    """
    lowest = bucket % BUCKETS_A_SLICE * _places(layout)
    turns = np.searchsorted(_decoded(places) - lowest, np.arange(_places(layout)), "right")
    return np.append(0, _decoded(gained))[turns]


def _decoded(stored: bytes) -> Counts:
    return np.frombuffer(stored, dtype=SMALL).astype(np.int64)


def _places(layout: BucketLayout) -> int:
    return layout.bucket_width + 1
