"""Layouts of ordered boards: what one costs, and which buckets others leave or join."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboard.rules import ordered
from leaderboard.rules.counts import STORED, Counts, Key, Keys, prefixes_of_members
from leaderboard.rules.ordered import (
    Boundaries,
    Buckets,
    Piece,
    of_one_key,
    same_buckets,
    with_buckets,
)

# So many players are read at once to be cut anew, of a board of any size.
PLAYERS_AT_ONCE = 50_000
# A layout is worth its making if something that it costs falls to this, in per cent.
WORTH_PER_CENT = 80

Mask = NDArray[np.bool_]


class LayoutFigures(NamedTuple):
    """
    What the buckets of an ordered board cost.

    For a rank those players are counted who stand in the bucket before the player: the mean over
    all players, and the most, if no two had the same key. A version writes a prefix a bucket.
    """

    buckets: int
    fullest: int
    mean_counted: float
    most_counted: int
    bytes_a_version: int


def layout_figures(buckets: Buckets) -> LayoutFigures:
    """Return what buckets cost their readers and their publisher."""
    members = buckets.members
    before = np.where(of_one_key(buckets.boundaries), 0, np.maximum(members - 1, 0))
    return LayoutFigures(
        buckets=len(members),
        fullest=int(members.max()),
        mean_counted=float((before * members).sum() / 2 / max(1, members.sum())),
        most_counted=int(before.max()),
        bytes_a_version=len(members) * STORED.itemsize,
    )


def is_worth_it(before: LayoutFigures, after: LayoutFigures) -> bool:
    """Return whether the mean or the most counted for a rank, or the bytes, fall by a fifth."""
    return any(
        new < old and 100 * new <= WORTH_PER_CENT * old
        for old, new in (
            (before.mean_counted, after.mean_counted),
            (before.most_counted, after.most_counted),
            (before.bytes_a_version, after.bytes_a_version),
        )
    )


def to_even_out(buckets: Buckets) -> tuple[Buckets, list[int]]:
    """
    Return larger buckets, and which of them to cut so that all have the size of a bucket.

    Only the highest boundary stays, and those around keys with a bucket's worth of players.
    """
    highest = np.arange(len(buckets.members)) == len(buckets.members) - 1
    return _joined(buckets, highest, ordered.BUCKET_SIZE)


def to_begin_at(buckets: Buckets, begins: Boundaries) -> tuple[Buckets, list[int]]:
    """
    Return the buckets that begin at some of the boundaries, and which of them to cut.

    Those are crowded; some more of the boundaries stay in them.
    """
    wanted = set(_keys(begins))
    forced = np.asarray([key in wanted for key in _keys(buckets.boundaries)])
    return _joined(buckets, forced, ordered.SPLIT_ABOVE)


def missing_begins(boundaries: Boundaries, begins: Boundaries) -> dict[int, list[Key]]:
    """Return by bucket the keys within it that others begin at, best first."""
    known, found = set(_keys(boundaries)), dict[int, list[Key]]()
    places = ordered.buckets_of(boundaries, Keys(*begins)).tolist()
    for place, key in reversed(list(zip(places, _keys(begins), strict=True))):
        if key not in known:
            found.setdefault(place, []).append(key)
    return found


def begun_anew(buckets: Buckets, bucket: int, begins: Sequence[tuple[Key, int]]) -> Buckets:
    """Return the buckets after one was cut at keys, best first, each after so many players."""
    pieces = [Piece(*key, before, 0) for key, before in begins]
    return with_buckets(buckets, bucket, pieces)


def boundaries_at(keys: Sequence[Key]) -> Boundaries:
    """Return boundaries at keys in any order."""
    lowest_first = sorted(set(keys), key=lambda key: (key[0], -key[1]))
    scores, tie_keys = np.asarray(lowest_first, dtype=np.int64).reshape(-1, 2).T
    return Boundaries(scores, tie_keys)


def is_cut_from(boundaries: Boundaries, older: Boundaries) -> bool:
    """Return whether boundaries are older ones and, perhaps, some more."""
    return set(_keys(boundaries)) >= set(_keys(older))


def changed_buckets(boundaries: Boundaries, older: Boundaries) -> Mask:
    """Return which buckets do not begin, or do not end, where an older one did."""
    changed: Mask = same_buckets(boundaries, older) < 0
    return changed


def players_above(buckets: Buckets) -> dict[Key, int]:
    """Return how many players stand above each key that a bucket begins at."""
    above = prefixes_of_members(buckets.members)
    return dict(zip(_keys(buckets.boundaries), above.tolist(), strict=True))


def spread_over(members: Counts, wanted: int) -> list[tuple[int, int]]:
    """
    Return places of players from all over some buckets, everybody's if there are too few.

    A place is a bucket, and how many of its players stand before.
    """
    total = int(members.sum())
    chosen = np.unique(np.linspace(0, max(0, total - 1), min(wanted, total)).astype(np.int64))
    upto = np.cumsum(members)
    buckets = np.searchsorted(upto, chosen, "right")
    before = chosen - (upto - members)[buckets]
    return list(zip(buckets.tolist(), before.tolist(), strict=True))


def _joined(buckets: Buckets, forced: Mask, limit: int) -> tuple[Buckets, list[int]]:
    stays = _stays(buckets, forced, limit)
    boundaries, members = buckets
    kept = np.flatnonzero(stays)
    firsts = np.concatenate([[0], kept[:-1] + 1])
    joined = Buckets(
        Boundaries(boundaries.scores[kept], boundaries.tie_keys[kept]),
        np.add.reduceat(members, firsts),
    )
    too_full = (joined.members > limit) & ~of_one_key(joined.boundaries)
    return joined, np.flatnonzero(too_full).tolist()


def _stays(buckets: Buckets, forced: Mask, limit: int) -> Mask:
    """Return which boundaries stay: those forced, and some in between where players are many."""
    stays = forced.copy()
    crowds = of_one_key(buckets.boundaries) & (buckets.members >= ordered.BUCKET_SIZE)
    lowest = 0
    for highest in np.flatnonzero(forced).tolist():
        if buckets.members[lowest : highest + 1].sum() > limit:
            _keep_apart(buckets.members, crowds, stays, range(highest, lowest - 1, -1))
        lowest = highest + 1
    return stays


def _keep_apart(members: Counts, crowds: Mask, stays: Mask, places: range) -> None:
    players = 0
    for place in places:
        is_after_crowd = place != places[0] and crowds[place + 1]
        is_too_much = players > 0 and players + members[place] > PLAYERS_AT_ONCE
        if crowds[place] or is_after_crowd or is_too_much:
            stays[place] = True
            players = 0
        players += int(members[place])


def _keys(keys: Boundaries | Keys) -> list[Key]:
    return list(zip(keys.scores.tolist(), keys.tie_keys.tolist(), strict=True))
