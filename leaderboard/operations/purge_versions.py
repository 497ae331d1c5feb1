"""Let go of versions that were replaced, and of all that only they needed."""

from typing import NamedTuple

from config import db
from leaderboard.queries.publication import publication_state
from scores.steps import purge_tallies, purge_undo
from seasons.steps import delete_seals

OPEN_PURGE = db.statement(__file__, "open_purge")
EXPIRE_VERSIONS = db.statement(__file__, "expire_versions")
OLDEST_READABLE = db.statement(__file__, "oldest_readable")
PURGE_BUCKETS = db.statement(__file__, "purge_buckets")
PURGE_LAYOUTS = db.statement(__file__, "purge_layouts")
PURGE_PUBLICATIONS = db.statement(__file__, "purge_publications")

VERSION_KEPT_SECONDS = 120
CHANGES_KEPT_SECONDS = 7 * 24 * 3600
VERSIONS_AT_ONCE = 20


class OldestReadable(NamedTuple):
    """The oldest version that can be read, and up to where epochs were looked at."""

    oldest: int
    through: int


def purge_versions(
    season_id: int,
    *,
    version_kept_seconds: float = VERSION_KEPT_SECONDS,
    changes_kept_seconds: float = CHANGES_KEPT_SECONDS,
) -> list[int]:
    """
    Delete expired versions with all that only they needed, and return their numbers.

    One transaction, so that a version's row is gone no later than its buckets, undo and layout.
    At most 20 versions at once; final, corrected and leased ones stay.
    """
    with db.transaction_opened_by(OPEN_PURGE):
        state = publication_state(season_id)
        before = state and _oldest_readable(season_id, state.namespace)
        if before is None or state is None:
            return []
        expired = db.fetch_all(
            int,
            EXPIRE_VERSIONS.literal(season_id=season_id, namespace=state.namespace),
            kept_seconds=version_kept_seconds,
            most=VERSIONS_AT_ONCE,
        )
        after = _oldest_readable(season_id, state.namespace)
        assert after is not None, "the current version is never replaced, so it stays"
        if after.oldest > before.oldest:
            _purge_dependents(season_id, state.namespace, before.oldest, after.oldest)
        if expired:
            db.execute(PURGE_LAYOUTS.literal(season_id=season_id))
        purge_tallies(state.ledger_namespace, after.through)
        db.execute(
            PURGE_PUBLICATIONS.literal(season_id=season_id), kept_seconds=changes_kept_seconds
        )
    return sorted(expired)


def _oldest_readable(season_id: int, namespace: int) -> OldestReadable | None:
    statement = OLDEST_READABLE.literal(season_id=season_id, namespace=namespace)
    return db.fetch_one(OldestReadable, statement)


def _purge_dependents(season_id: int, namespace: int, oldest_before: int, oldest: int) -> None:
    db.execute(
        PURGE_BUCKETS.literal(namespace=namespace), oldest_before=oldest_before, oldest=oldest
    )
    purge_undo(namespace, oldest_before=oldest_before, oldest=oldest)
    delete_seals(season_id, after_epoch=0, to_epoch=oldest)
