"""
Count a counted board of a version.

What the touched buckets gained is written beside the prefixes; only a few buckets are settled,
that is, their rows are written anew.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from config import db
from config.bits import Bits
from config.smalls import Smalls
from leaderboard import rules
from leaderboard.queries.publication import StoredBucket, latest_buckets, prefixes
from leaderboard.rules import BucketLayout, Counts, Deltas, Gains
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.target import Target

INSERT_BUCKETS = db.statement(__file__, "insert_buckets")
INSERT_COUNTED_PREFIXES = db.statement(__file__, "insert_counted_prefixes")


class CountedPrefixes(NamedTuple):
    """
    How many players stand above each bucket of a board, and how old its newest row is.

    And what scores gained since.
    """

    above: Counts
    ages: Counts
    gains: Gains


class InBuckets(NamedTuple):
    """Of some buckets how many players stand above each score, a row a bucket, and all of them."""

    above: Counts
    members: Counts

    @property
    def counts(self) -> Counts:
        """Return how many players have each score: a row a bucket."""
        return rules.counts_of_above(self.above, self.members)


def count_board(target: Target, board: int, members: int, deltas: Deltas) -> None:
    """Write the buckets and prefixes of a board at the version; it had `members` before."""
    scores, players = rules.net_by_score(deltas)
    gained = Gains(scores - target.layout.lower_score, players)
    before = counted_prefixes(target, board, target.previous)
    gains = rules.summed(before.gains, gained)
    settled = rules.buckets_to_settle(target.layout, gains)
    touched = np.unique(gained.offsets // target.layout.bucket_width)
    begun = touched[before.ages[touched] == target.previous]
    _settle(target, board, settled, touched, gains)
    _begin(target, board, np.setdiff1d(begun, settled))
    counts = rules.members_of_prefixes(before.above, members)
    counts += rules.gained_by_bucket(target.layout, gained)
    ages = before.ages + (target.version - target.previous)
    ages[np.union1d(settled, begun)] = 0
    kept = rules.parted(target.layout, gains, settled)[1]
    _insert_prefixes(target, board, CountedPrefixes(rules.prefixes_of_members(counts), ages, kept))


def write_empty_board(target: Target, board: int) -> None:
    """Write the prefixes of a board on which nobody stands."""
    nobody = np.zeros(target.layout.buckets, dtype=np.int64)
    # As old as if a version 0 had written it: no bucket has a row yet.
    nothing = Gains(nobody[:0], nobody[:0])
    _insert_prefixes(target, board, CountedPrefixes(nobody, nobody + target.version, nothing))


def counted_prefixes(target: Target, board: int, version: int) -> CountedPrefixes:
    """Return what the prefixes of a board say at a version; CheckFailed if they are not whole."""
    stored = prefixes(target.namespace, board, version)
    if {len(stored.above), len(stored.ages)} != {target.layout.buckets}:
        raise CheckFailed(
            "prefix_missing", f"board {board} has no whole prefix at version {version}"
        )
    if not rules.are_whole(target.layout, stored.entries):
        raise CheckFailed(
            "gains_malformed",
            f"board {board}: what buckets gained is in no order at version {version}",
        )
    gains = rules.gains_of_entries(target.layout, stored.entries)
    return CountedPrefixes(stored.above, stored.ages, gains)


def in_buckets(
    target: Target, board: int, version: int, buckets: Counts, gains: Gains
) -> InBuckets:
    """Return what some buckets, lowest first, count: their rows at a version, and gains since."""
    gained = rules.gained_by_score(target.layout, gains, buckets)
    above, members = rules.above_of_counts(gained), gained.sum(axis=1)
    rows = latest_buckets(target.namespace, board, version, buckets.tolist())
    if rows:
        places = np.searchsorted(buckets, [row.bucket for row in rows])
        above[places] += _stored_above(target, board, rows)
        members[places] += [row.members for row in rows]
    return InBuckets(above, members)


def _settle(target: Target, board: int, settled: Counts, touched: Counts, gains: Gains) -> None:
    """Write the rows of some buckets with all gains in them; CheckFailed if one has too few."""
    buckets = np.union1d(settled, touched)
    if not len(buckets):
        return
    found = in_buckets(target, board, target.previous, buckets, gains)
    _require_no_negative(target.layout, board, buckets, found.counts)
    bits = rules.bits_a_count(found.members)
    for size in np.unique(bits).tolist():
        chosen = np.isin(buckets, settled) & (bits == size)
        written = InBuckets(found.above[chosen], found.members[chosen])
        _insert_buckets(target, board, buckets[chosen], written, size)


def _begin(target: Target, board: int, buckets: Counts) -> None:
    """Write rows in which nobody stands: all that the buckets have is what they gained since."""
    nobody = np.zeros(len(buckets), dtype=np.int64)
    _insert_buckets(target, board, buckets, InBuckets(nobody, nobody), 0)


def _insert_buckets(
    target: Target, board: int, buckets: Counts, written: InBuckets, bits: int
) -> None:
    if not len(buckets):
        return
    db.execute(
        INSERT_BUCKETS.literal(
            namespace=target.namespace, bucket_width=target.layout.bucket_width
        ),
        board=board,
        version=target.version,
        buckets=buckets.tolist(),
        members=written.members.tolist(),
        above=Bits(rules.encoded_above(written.above, bits)),
        bits=bits,
    )


def _stored_above(target: Target, board: int, rows: Sequence[StoredBucket]) -> Counts:
    """Return what rows say of how many stand above each score: a row a bucket."""
    width = target.layout.bucket_width
    counts = np.zeros((len(rows), width), dtype=np.int64)
    bits = rules.bits_a_count(np.asarray([row.members for row in rows])).tolist()
    for place, row in enumerate(rows):
        if 8 * len(row.above) != bits[place] * width:
            raise CheckFailed(
                "bucket_malformed",
                f"board {board}: bucket {row.bucket} has {len(row.above)} bytes "
                f"for its {width} scores",
            )
        if row.members:
            counts[place] = rules.decoded_above(row.above, row.members)
    return counts


def _require_no_negative(
    layout: BucketLayout, board: int, touched: Counts, counts: Counts
) -> None:
    row, column = np.unravel_index(int(counts.argmin()), counts.shape)
    if counts[row, column] < 0:
        score = layout.range_of(int(touched[row]))[0] + int(column)
        raise CheckFailed(
            "negative_count",
            f"board {board} would have {counts[row, column]} players on score {score}",
        )


def _insert_prefixes(target: Target, board: int, written: CountedPrefixes) -> None:
    entries = rules.entries_of(target.layout, written.gains)
    places, gained, ends = rules.encoded_entries(target.layout, entries)
    db.execute(
        INSERT_COUNTED_PREFIXES.literal(namespace=target.namespace),
        version=target.version,
        board=board,
        above=Bits(rules.encoded(written.above)),
        ages=Bits(rules.encoded(written.ages)),
        places=Smalls(places),
        gained=Bits(gained),
        ends=ends,
    )
