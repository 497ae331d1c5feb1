"""Drop a set of partitions that nobody uses any more."""

from config import db
from leaderboard.models import Version
from leaderboard.steps.rebuilding import drop_buckets, forget_versions
from scores.steps.dropping import drop_bests

VERSIONS_AT_ONCE = 20


def drop_namespace(namespace: int) -> None:
    """
    Drop the versions of a namespace, some at a time, and then its bests, undo and buckets.

    Not a transaction: nobody else waits, and a run that was broken off is gone on with by the
    next one.
    """
    while numbers := _some_versions(namespace):
        with db.transact:
            forget_versions(namespace, numbers)
    drop_bests(namespace)
    drop_buckets(namespace)


def _some_versions(namespace: int) -> list[int]:
    versions = Version.objects.filter(namespace=namespace).order_by("number")
    return list(versions.values_list("number", flat=True)[:VERSIONS_AT_ONCE])
