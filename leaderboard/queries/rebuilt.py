"""What a rebuild must know of the namespace that it makes and of the one that it replaces."""

from decimal import Decimal
from typing import NamedTuple

import numpy as np

from config import db
from leaderboard import rules
from leaderboard.models import Current, Layout, Version
from leaderboard.queries.ordered import boundaries_of
from leaderboard.rules import BucketLayout, Deltas, Keys

REBUILD_COUNTS = db.statement(__file__, "rebuild_counts")
REBUILD_MOVES = db.statement(__file__, "rebuild_moves")
REBUILD_STRATIFIED = db.statement(__file__, "rebuild_stratified")
REBUILD_STRATIFIED_BY_ORDER = db.statement(__file__, "rebuild_stratified_by_order")
REBUILD_DIGESTS = db.statement(__file__, "rebuild_digests")
REBUILD_DIGESTS_BY_ORDER = db.statement(__file__, "rebuild_digests_by_order")

FOR_EVER = ("final", "corrected")


class BucketDigest(NamedTuple):
    """What a bucket holds at a version: players, their scores, a hash over who has which."""

    bucket: int
    players: int
    score_sum: Decimal
    hash: int


def kept_versions(season_id: int, namespace: int) -> list[Version]:
    """Return the versions that a rebuild keeps: those kept for ever, and the current one."""
    current = Current.objects.get(season_id=season_id).number
    versions = Version.objects.filter(namespace=namespace).order_by("number")
    return [one for one in versions if one.kind in FOR_EVER or one.number == current]


def layout_of(version: Version) -> BucketLayout:
    """Return the bucket boundaries of a version."""
    layout = Layout.objects.get(id=version.layout_id)
    return BucketLayout(layout.lower_score, layout.bucket_width, layout.buckets)


def boundary_sets_of(version: Version) -> list[int]:
    """Return the boundaries of a version's boards."""
    sets: list[int] = Layout.objects.get(id=version.layout_id).boundary_sets
    return sets


def counts_at(namespace: int, board: int, version: int) -> Deltas:
    """Return how many players of a counted board each score has at a version."""
    found = db.fetch_one(
        bytes, REBUILD_COUNTS.literal(namespace=namespace), board=board, version=version
    )
    assert found is not None
    scores, players = rules.decoded([found]).reshape(-1, 2).T
    order = np.argsort(scores)
    return Deltas(scores[order], np.zeros_like(scores), players[order])


def moves_between(
    namespace: int, ledger_namespace: int, board: int, previous: int, version: int
) -> Deltas:
    """Return what each key of a board gained between two versions, by bests and undo."""
    moved = db.fetch_one(
        _moved,
        REBUILD_MOVES.literal(namespace=namespace, ledger_namespace=ledger_namespace),
        board=board,
        previous=previous,
        version=version,
    )
    assert moved is not None
    return rules.deltas_of_moves(*moved)


def digests(namespace: int, version: Version, board: int) -> dict[int, BucketDigest]:
    """Return what each bucket of a board holds at a version, by bests and undo."""
    boundary_set = boundary_sets_of(version)[board]
    if boundary_set:
        return digests_by_order(namespace, version.number, board, boundary_set)
    layout = layout_of(version)
    statement = REBUILD_DIGESTS.literal(
        namespace=namespace, lower_score=layout.lower_score, bucket_width=layout.bucket_width
    )
    found = db.fetch_all(BucketDigest, statement, version=version.number)
    return {digest.bucket: digest for digest in found}


def digests_by_order(
    namespace: int, version: int, board: int, boundary_set: int
) -> dict[int, BucketDigest]:
    """Return what each bucket of an ordered board holds at a version, by its boundaries."""
    found = db.fetch_all(
        BucketDigest,
        REBUILD_DIGESTS_BY_ORDER.literal(namespace=namespace, board=board),
        version=version,
        boundary_set=boundary_set,
    )
    return {digest.bucket: digest for digest in found}


def players_all_over(namespace: int, version: Version, board: int, wanted: int) -> list[str]:
    """Return players from all over a board, everybody if it has few enough."""
    layout, boundary_set = layout_of(version), boundary_sets_of(version)[board]
    buckets = len(boundaries_of(boundary_set).scores) if boundary_set else layout.buckets
    most = wanted if version.members[board] <= wanted else 1 + 2 * wanted // buckets
    if boundary_set:
        ordered = REBUILD_STRATIFIED_BY_ORDER.literal(namespace=namespace, board=board)
        return db.fetch_all(str, ordered, boundary_set=boundary_set, most=most)
    counted = REBUILD_STRATIFIED.literal(
        namespace=namespace, lower_score=layout.lower_score, bucket_width=layout.bucket_width
    )
    return db.fetch_all(str, counted, buckets=buckets, most=most)


def _moved(*columns: bytes) -> tuple[Keys, Keys]:
    return rules.decoded_keys(*columns[:2]), rules.decoded_keys(*columns[2:])
