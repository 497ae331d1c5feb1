"""Count an ordered board of a version: prefixes only, and boundaries when a bucket is crowded."""

from collections.abc import Iterable

import numpy as np

from config import db
from config.bits import Bits
from leaderboard import rules
from leaderboard.queries.ordered import BucketOfBoard, boundaries_of, pieces_of_bucket
from leaderboard.queries.publication import prefixes
from leaderboard.rules import Boundaries, Buckets, Counts, Deltas
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.target import Target

NEXT_BOUNDARY_SET = db.statement(__file__, "next_boundary_set")
INSERT_BOUNDARIES = db.statement(__file__, "insert_boundaries")
INSERT_PREFIXES = db.statement(__file__, "insert_prefixes")


def count_board(
    target: Target, board: int, members: int, deltas: Deltas, instead: Buckets | None = None
) -> int:
    """
    Write the prefixes of a board at the version; it had `members` before.

    Its buckets are those of the version before, unless others are given instead. Returns its set
    of boundaries, which is a new one then, and if a crowded bucket was split.
    """
    buckets = instead or buckets_before(target, board, members)
    buckets = rules.with_deltas(buckets, deltas)
    _require_no_negative(board, buckets.members)
    crowded = rules.crowded(*buckets)
    if crowded:
        buckets = cut(target, board, buckets, crowded)
    write_counts(target, board, buckets.members)
    if crowded or instead:
        return write_boundaries(buckets.boundaries)
    return target.boundary_sets[board]


def write_empty_board(target: Target, board: int) -> None:
    """Write the prefixes of a board on which nobody stands."""
    buckets = len(boundaries_of(target.boundary_sets[board]).scores)
    write_counts(target, board, np.zeros(buckets, dtype=np.int64))


def write_boundaries(boundaries: Boundaries) -> int:
    """Write a set of boundaries and return its number."""
    db.require_transaction()
    boundary_set = db.fetch_one(int, NEXT_BOUNDARY_SET)
    assert boundary_set is not None
    db.execute(
        INSERT_BOUNDARIES,
        boundary_set=boundary_set,
        scores=boundaries.scores.tolist(),
        tie_keys=boundaries.tie_keys.tolist(),
    )
    return boundary_set


def write_counts(target: Target, board: int, counts: Counts) -> None:
    """Write the prefixes of a board of which each bucket has so many players, lowest first."""
    db.execute(
        INSERT_PREFIXES.literal(namespace=target.namespace),
        version=target.version,
        board=board,
        buckets=len(counts),
        above=Bits(rules.encoded(rules.prefixes_of_members(counts))),
    )


def buckets_before(target: Target, board: int, members: int) -> Buckets:
    """Return the buckets of a board at the version before, when it had `members`."""
    return stored_buckets(target, board, target.previous, target.boundary_sets[board], members)


def stored_buckets(
    target: Target, board: int, version: int, boundary_set: int, members: int
) -> Buckets:
    """Return the buckets of a board as a version has them, which has `members` there."""
    boundaries = boundaries_of(boundary_set)
    stored = prefixes(target.namespace, board, version)
    if len(stored.above) != len(boundaries.scores):
        raise CheckFailed(
            "prefix_missing", f"board {board} has no whole prefix at version {version}"
        )
    return Buckets(boundaries, rules.members_of_prefixes(stored.above, members))


def bucket_of(target: Target, board: int, boundaries: Boundaries, bucket: int) -> BucketOfBoard:
    """Return a bucket of the board at the version: its number, lowest first, as its range."""
    return BucketOfBoard(
        target.season_id,
        target.namespace,
        board,
        target.version,
        boundaries.begin_of(bucket),
        boundaries.end_of(bucket),
    )


def cut(
    target: Target, board: int, buckets: Buckets, chosen: Iterable[int], size: int | None = None
) -> Buckets:
    """
    Return the buckets after some of them were cut, by the bests as they were at the version.

    Each part has about `size` players, or as many as a bucket gets. Raises CheckFailed if the
    bests have other players in a bucket than it counts.
    """
    # The highest first: the numbers of those below stay.
    for bucket in sorted(chosen, reverse=True):
        place = bucket_of(target, board, buckets.boundaries, bucket)
        pieces, found = pieces_of_bucket(place, size)
        if found is not None:
            bests_have(board, bucket, int(buckets.members[bucket]), found)
        begins = rules.split(place.boundary, place.end, pieces, size)
        buckets = rules.with_buckets(buckets, bucket, begins)
    return buckets


def bests_have(board: int, bucket: int, counted: int, found: int) -> None:
    """Raise CheckFailed unless a bucket counts as many players as were found in the bests."""
    if found != counted:
        raise CheckFailed(
            "bucket_against_bests",
            f"board {board}: bucket {bucket} counts {counted} players, the bests have {found}",
            bests_damaged=True,
        )


def _require_no_negative(board: int, counts: Counts) -> None:
    bucket = int(counts.argmin())
    if counts[bucket] < 0:
        raise CheckFailed(
            "negative_count",
            f"board {board} would have {counts[bucket]} players in bucket {bucket}",
        )
