"""Count a counted board of a version: only the touched buckets are written anew."""

from collections.abc import Sequence

import numpy as np

from config import db
from config.bits import Bits
from leaderboard import rules
from leaderboard.queries.publication import (
    Prefixes,
    StoredBucket,
    latest_buckets,
    prefixes,
)
from leaderboard.rules import BucketLayout, Counts, Deltas, net_by_score
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.target import Target

INSERT_BUCKETS = db.statement(__file__, "insert_buckets")
INSERT_PREFIXES = db.statement(__file__, "insert_prefixes")


def count_board(target: Target, board: int, members: int, deltas: Deltas) -> None:
    """Write the buckets and prefixes of a board at the version; it had `members` before."""
    scores, players = net_by_score(deltas)
    _write_buckets(target, board, scores, players)
    _write_prefixes(target, board, members, scores, players)


def write_empty_board(target: Target, board: int) -> None:
    """Write the prefixes of a board on which nobody stands."""
    nobody = np.zeros(target.layout.buckets, dtype=np.int64)
    # As old as if a version 0 had written it: no bucket has a row yet.
    _insert_prefixes(target, board, Prefixes(nobody, nobody + target.version))


def above_of(target: Target, board: int, rows: Sequence[StoredBucket]) -> Counts:
    """Return how many of its bucket stand above each score: a row a bucket."""
    width = target.layout.bucket_width
    counts = np.zeros((len(rows), width), dtype=np.int64)
    for place, row in enumerate(rows):
        found = rules.decoded_above(row.above, row.members)
        if len(found) != width:
            raise CheckFailed(
                "bucket_malformed",
                f"board {board}: bucket {row.bucket} has {len(row.above)} bytes "
                f"for its {width} scores",
            )
        counts[place] = found
    return counts


def _write_buckets(target: Target, board: int, scores: Counts, players: Counts) -> None:
    offsets = scores - target.layout.lower_score
    touched, rows = np.unique(offsets // target.layout.bucket_width, return_inverse=True)
    if not len(touched):
        return
    counts = _stored_counts(target, board, touched)
    np.add.at(counts, (rows, offsets % target.layout.bucket_width), players)
    _require_no_negative(target.layout, board, touched, counts)
    is_short = rules.has_short_counts(counts.sum(axis=1))
    for short in (True, False):
        chosen = is_short == short
        _insert_buckets(target, board, touched[chosen], counts[chosen], short=short)


def _insert_buckets(
    target: Target, board: int, buckets: Counts, counts: Counts, *, short: bool
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
        members=counts.sum(axis=1).tolist(),
        above=Bits(rules.encoded_above(rules.above_of_counts(counts), short=short)),
        bits=16 if short else 32,
    )


def _stored_counts(target: Target, board: int, touched: Counts) -> Counts:
    width = target.layout.bucket_width
    counts = np.zeros((len(touched), width), dtype=np.int64)
    stored = latest_buckets(target.namespace, board, target.previous, touched.tolist())
    if stored:
        places = np.searchsorted(touched, [row.bucket for row in stored])
        members = np.asarray([row.members for row in stored], dtype=np.int64)
        counts[places] = rules.counts_of_above(above_of(target, board, stored), members)
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


def _write_prefixes(
    target: Target, board: int, members: int, scores: Counts, players: Counts
) -> None:
    stored = prefixes(target.namespace, board, target.previous)
    if {len(stored.above), len(stored.ages)} != {target.layout.buckets}:
        raise CheckFailed(
            "prefix_missing", f"board {board} has no whole prefix at version {target.previous}"
        )
    counts = rules.members_of_prefixes(stored.above, members)
    touched = (scores - target.layout.lower_score) // target.layout.bucket_width
    np.add.at(counts, touched, players)
    ages = stored.ages + (target.version - target.previous)
    ages[touched] = 0
    _insert_prefixes(target, board, Prefixes(rules.prefixes_of_members(counts), ages))


def _insert_prefixes(target: Target, board: int, written: Prefixes) -> None:
    db.execute(
        INSERT_PREFIXES.literal(namespace=target.namespace),
        version=target.version,
        board=board,
        buckets=target.layout.buckets,
        above=Bits(rules.encoded(written.above)),
        ages=Bits(rules.encoded(written.ages)),
    )
