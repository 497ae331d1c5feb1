"""
Gains: what scores of a counted board gained or lost since the row of their bucket was written.

A version writes them beside its prefixes, in place of the rows of all buckets that it touched.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from leaderboard.rules.counted import SHORT, BucketLayout
from leaderboard.rules.counts import Counts

# So many buckets have their prefixes in one row of a counted board. It numbers a place for each
# score of each, and one for each bucket: of the widest, too, 16 bits count these.
BUCKETS_A_SLICE = 32
# A bucket with more entries is settled. As many in each bucket make a row of 3 KB: that lies in
# its page whole, and to find an entry in it takes ten comparisons.
MOST_ENTRIES = 24
# What an entry costs at every version, and a bucket's row once, beside two bytes a score: its
# header, and its entries in indexes.
ENTRY_BYTES = 4
ROW_BYTES = 120
# Gains are stored with this added to them, so that none is negative.
NOTHING_GAINED = 2**15
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

    At a score's place, and at those before the next entry's, so many more of the bucket's players
    than its row says stand above; above the highest score nobody does, so what is said there is
    right for buckets without entries that follow. Behind all scores each bucket of the slice has
    a place, where it is said how many players it gained in all.
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
    above = _entries_above(layout, gains)
    numbers = _buckets_of(layout, above)
    entries = np.bincount(numbers, minlength=layout.buckets)
    due = (entries > MOST_ENTRIES) | (np.abs(gained_by_bucket(layout, gains)) > HIGHEST_GAIN)
    due[numbers[np.abs(above.gained) > HIGHEST_GAIN]] = True
    entries[due] = 0
    paid = ENTRY_BYTES * int(entries.sum()) // (2 * layout.bucket_width + ROW_BYTES)
    fullest = np.argsort(-entries, kind="stable")[:paid]
    due[fullest[entries[fullest] > 0]] = True
    return np.flatnonzero(due)


def entries_of(layout: BucketLayout, gains: Gains) -> Entries:
    """Return gains as they are stored."""
    parts = (_entries_above(layout, gains), _entries_of_buckets(layout, gains))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return Entries(*(column[order] for column in columns))


def gains_of_entries(layout: BucketLayout, entries: Entries) -> Gains:
    """Return the gains of which these are the entries."""
    above, of_buckets = _parts(layout, entries)
    offsets = above.slices * BUCKETS_A_SLICE * layout.bucket_width + above.places
    entered = _filled(layout, of_buckets)
    buckets = np.flatnonzero(entered)
    # All that a bucket gained stand on its lowest score, but for those who stand above.
    return summed(
        Gains(offsets, -np.diff(above.gained, prepend=0)),
        Gains(buckets * layout.bucket_width, entered[buckets]),
    )


def are_whole(layout: BucketLayout, entries: Entries) -> bool:
    """Return whether entries are what gains are stored as: in order, each bucket's complete."""
    if len(entries.gained) != len(entries.places):
        return False
    places = entries.slices * _places(layout) + entries.places
    above, of_buckets = _parts(layout, entries)
    buckets = _buckets_of(layout, above)
    is_last = np.diff(buckets, append=-1) != 0
    return bool(
        (np.diff(places) > 0).all()
        and ((entries.places >= 0) & (entries.places < _places(layout))).all()
        and (above.gained[is_last] == 0).all()
        and (buckets < layout.buckets).all()
        and not _filled(layout, of_buckets)[layout.buckets :].any()
    )


def encoded_entries(layout: BucketLayout, entries: Entries) -> tuple[bytes, bytes, list[int]]:
    """Return places and gains, two bytes each, and after how many of them each slice ends."""
    ends = np.searchsorted(entries.slices, np.arange(_slices(layout)), "right")
    gained = (entries.gained + NOTHING_GAINED).astype(SHORT)
    return entries.places.astype(SMALL).tobytes(), gained.tobytes(), ends.tolist()


def decoded_entries(places: Sequence[bytes], gained: Sequence[bytes]) -> Entries:
    """
    Return the entries of slices, lowest first, of which places and gains were sent.

    The gains of each begin with that of the places before its first entry, which is none.
    """
    lengths = [len(part) // SMALL.itemsize for part in places]
    slices = np.repeat(np.arange(len(lengths)), lengths)
    own = (part[SHORT.itemsize :] for part in gained)
    return Entries(slices, _decoded_places(b"".join(places)), _decoded_gains(b"".join(own)))


def gained_above(layout: BucketLayout, bucket: int, places: bytes, gained: bytes) -> Counts:
    """Return how many more stand above each score of a bucket, by its own entries."""
    lowest = bucket % BUCKETS_A_SLICE * layout.bucket_width
    scores = np.arange(layout.bucket_width)
    turns = np.searchsorted(_decoded_places(places) - lowest, scores, "right")
    return np.append(0, _decoded_gains(gained))[turns]


def _entries_above(layout: BucketLayout, gains: Gains) -> Entries:
    """Return the entries at scores: at those that changed, and at the lowest of each bucket."""
    width = layout.bucket_width
    buckets = gains.offsets // width
    first = np.flatnonzero(np.diff(buckets, prepend=-1))
    at_or_above = np.cumsum(gains.players[::-1])[::-1]
    higher_buckets = np.append(at_or_above[first[1:]], np.zeros(min(1, len(first)), np.int64))
    at_or_above -= np.repeat(higher_buckets, np.diff(np.append(first, len(buckets))))
    offsets = np.insert(gains.offsets, first, buckets[first] * width)
    gained = np.insert(at_or_above - gains.players, first, at_or_above[first])
    # Where the lowest score changed, its own entry is the one; and none says what was said before.
    needed = np.append(np.diff(offsets) > 0, np.ones(min(1, len(first)), dtype=bool))
    offsets, gained = offsets[needed], gained[needed]
    said = np.diff(gained, prepend=0) != 0
    slices, places = np.divmod(offsets[said], width * BUCKETS_A_SLICE)
    return Entries(slices, places, gained[said])


def _entries_of_buckets(layout: BucketLayout, gains: Gains) -> Entries:
    """Return the entries behind all scores: where a bucket gained other than the one below."""
    counts = np.zeros((_slices(layout), BUCKETS_A_SLICE), dtype=np.int64)
    counts.flat[: layout.buckets] = gained_by_bucket(layout, gains)
    slices, buckets = np.nonzero(np.diff(counts, axis=1, prepend=0))
    places = BUCKETS_A_SLICE * layout.bucket_width + buckets
    return Entries(slices, places, counts[slices, buckets])


def _parts(layout: BucketLayout, entries: Entries) -> tuple[Entries, Entries]:
    """Return the entries at scores, and those behind all scores."""
    at_scores = entries.places < BUCKETS_A_SLICE * layout.bucket_width
    above, behind = (
        Entries(*(column[chosen] for column in entries)) for chosen in (at_scores, ~at_scores)
    )
    return above, behind


def _filled(layout: BucketLayout, of_buckets: Entries) -> Counts:
    """Return how many players each bucket of all slices gained, by the entries behind scores."""
    steps = np.zeros((_slices(layout), BUCKETS_A_SLICE), dtype=np.int64)
    buckets = of_buckets.places - BUCKETS_A_SLICE * layout.bucket_width
    begins = np.diff(of_buckets.slices, prepend=-1) != 0
    before = np.where(begins, 0, np.roll(of_buckets.gained, 1))
    steps[of_buckets.slices, buckets] = of_buckets.gained - before
    return np.cumsum(steps, axis=1).ravel()


def _buckets_of(layout: BucketLayout, above: Entries) -> Counts:
    return above.slices * BUCKETS_A_SLICE + above.places // layout.bucket_width


def _decoded_places(stored: bytes) -> Counts:
    return np.frombuffer(stored, dtype=SMALL).astype(np.int64)


def _decoded_gains(stored: bytes) -> Counts:
    return np.frombuffer(stored, dtype=SHORT).astype(np.int64) - NOTHING_GAINED


def _slices(layout: BucketLayout) -> int:
    return -(-layout.buckets // BUCKETS_A_SLICE)


def _places(layout: BucketLayout) -> int:
    return BUCKETS_A_SLICE * (layout.bucket_width + 1)
