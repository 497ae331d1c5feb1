"""The boards of a new namespace, counted from its bests and undo."""

from typing import NamedTuple

from config import db
from leaderboard.models import Version
from leaderboard.queries.rebuilt import boundary_sets_of, layout_of
from leaderboard.steps.recounting import NOTHING_YET, recount_board
from leaderboard.steps.target import Target
from scores.steps import purge_undo
from scores.steps.dropping import Dropping, drop_partition
from seasons.steps import delete_seals

REBUILD_COPY_VERSION = db.statement(__file__, "rebuild_copy_version")
REBUILD_MATCH_VERSIONS = db.statement(__file__, "rebuild_match_versions")
REBUILD_FORGET_VERSIONS = db.statement(__file__, "rebuild_forget_versions")

PURGE_BUCKETS = db.statement(__file__, "purge_buckets")
REBUILD_DETACH_BUCKET = db.statement(__file__, "rebuild_detach_bucket")
REBUILD_FINISH_BUCKET = db.statement(__file__, "rebuild_finish_bucket")
REBUILD_DROP_BUCKET = db.statement(__file__, "rebuild_drop_bucket")

BUCKETS = Dropping(
    "leaderboard_bucket", REBUILD_DETACH_BUCKET, REBUILD_FINISH_BUCKET, REBUILD_DROP_BUCKET
)


class Namespaces(NamedTuple):
    """The namespace that is made, the one that it replaces, and that of the ledger."""

    made: int
    replaced: int
    ledger: int


def make_versions(namespaces: Namespaces, wanted: list[Version]) -> int | None:
    """
    Count those of some versions that are newer than what was made, and return the newest.

    The first is counted whole, each one after by what moved since the one before. Raises
    CheckFailed, as a publication would.
    """
    made = Version.objects.filter(namespace=namespaces.made).order_by("-number").first()
    for version in wanted:
        if made is None or version.number > made.number:
            _make_version(namespaces, made, version)
            made = Version.objects.get(namespace=namespaces.made, number=version.number)
    return None if made is None else made.number


def match_versions(namespaces: Namespaces) -> None:
    """
    Let the versions made be those that are readable in the namespace replaced.

    They get their kind and end from there; regular ones that expired there are deleted.
    """
    db.require_transaction()
    names = {"namespace": namespaces.made, "other_namespace": namespaces.replaced}
    db.execute(REBUILD_MATCH_VERSIONS.literal(**names))
    readable = set(_numbers(namespaces.replaced))
    expired = [number for number in _numbers(namespaces.made)[:-1] if number not in readable]
    if expired:
        forget_versions(namespaces.made, expired)
        oldest = _numbers(namespaces.made)[0]
        db.execute(
            PURGE_BUCKETS.literal(namespace=namespaces.made),
            oldest_before=NOTHING_YET,
            oldest=oldest,
        )
        purge_undo(namespaces.made, oldest_before=NOTHING_YET, oldest=oldest)


def expire_others(namespaces: Namespaces, season_id: int) -> None:
    """
    Delete the versions in use that were not made, and the seals that only they needed.

    Whoever still reads the boards in use, as they were known a moment ago, finds the versions
    that both have, or none.
    """
    db.require_transaction()
    made = _numbers(namespaces.made)
    others = [number for number in _numbers(namespaces.replaced) if number not in made]
    if others:
        forget_versions(namespaces.replaced, others)
    delete_seals(season_id, after_epoch=0, to_epoch=made[0])


def forget_versions(namespace: int, numbers: list[int]) -> None:
    """Delete versions with their prefixes and tops; buckets are left."""
    db.require_transaction()
    db.execute(REBUILD_FORGET_VERSIONS.literal(namespace=namespace), numbers=numbers)


def drop_buckets(namespace: int) -> None:
    """Drop the buckets of a namespace that nobody uses any more; not in a transaction."""
    drop_partition(BUCKETS, namespace)


def _make_version(namespaces: Namespaces, previous: Version | None, version: Version) -> None:
    target = Target(
        version.season_id,
        namespaces.made,
        layout_of(version),
        boundary_sets_of(version),
        NOTHING_YET if previous is None else previous.number,
        version.number,
    )
    totals = [
        recount_board(namespaces.ledger, target, board, previous)
        for board in range(len(version.members))
    ]
    if previous is None:
        forget_versions(namespaces.made, [NOTHING_YET])
    copied = db.execute(
        REBUILD_COPY_VERSION.literal(
            namespace=namespaces.made, other_namespace=namespaces.replaced
        ),
        version=version.number,
        members=[board.members for board in totals],
        score_sums=[board.score_sum for board in totals],
    )
    assert copied == 1


def _numbers(namespace: int) -> list[int]:
    found = Version.objects.filter(namespace=namespace).order_by("number")
    return list(found.values_list("number", flat=True))
