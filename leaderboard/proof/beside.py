"""
What a second session does at the same time: the ledger itself, undo, and counts of the bests.

Is each row of the ledger as it was written, and is none missing?
"""

from typing import NamedTuple

from config import db
from leaderboard.proof.findings import BucketCount, Check, compared
from leaderboard.proof.session import Clock, Session
from leaderboard.proof.subject import Board, Subject

CREATE_EPOCHS = db.statement(__file__, "create_epochs")
CREATE_HASHED = db.statement(__file__, "create_hashed")
HASH_LEDGER = db.statement(__file__, "hash_ledger")
ALTERED_ROWS = db.statement(__file__, "altered_rows")
DIFFERING_VERSIONS = db.statement(__file__, "differing_versions")
DIFFERING_FIRST_EPOCH = db.statement(__file__, "differing_first_epoch")
DIFFERING_UNDO = db.statement(__file__, "differing_undo")
BESTS_BY_BUCKET = db.statement(__file__, "bests_by_bucket")
BESTS_BY_ORDER = db.statement(__file__, "bests_by_order")


class Beside(NamedTuple):
    """What the second session found, and how many players each board's buckets have."""

    checks: list[Check]
    bests: list[list[BucketCount]]


def check_beside(subject: Subject, session: Session, clock: Clock) -> Beside:
    """Hash every row of the ledger anew, in a session of the calling thread's own."""
    namespaces = {"namespace": subject.namespace, "season_id": subject.season_id}
    with session.opened(CREATE_EPOCHS):
        hashed = CREATE_HASHED.literal(namespace=subject.ledger_namespace)
        db.run_script(hashed, using="proof")
        with clock.phase("hash the ledger"):
            epochs = db.execute(HASH_LEDGER, using="proof", through=subject.through)
            altered = compared("ledger rows", epochs, ALTERED_ROWS)
        with clock.phase("compare the versions' hashes"):
            versions = compared(
                "ledger of versions",
                epochs,
                DIFFERING_VERSIONS.literal(**namespaces),
                through=subject.through,
            )
            begin = first_epoch(subject)
        with clock.phase("compare undo"):
            statement = DIFFERING_UNDO.literal(namespace=subject.namespace)
            undo = compared(
                "undo",
                0,
                statement,
                ledger_namespace=subject.ledger_namespace,
                until=subject.until,
            )
        with clock.phase("count the bests"):
            bests = [_bests_of(subject, board) for board in subject.boards]
    return Beside([altered, versions, begin, undo], bests)


def first_epoch(subject: Subject) -> Check:
    """Compare where the version begins with the end of the one before."""
    statement = DIFFERING_FIRST_EPOCH.literal(
        namespace=subject.namespace, season_id=subject.season_id
    )
    return compared("first epoch", 1, statement, version=subject.version)


def _bests_of(subject: Subject, board: Board) -> list[BucketCount]:
    if board.is_counted:
        statement = BESTS_BY_BUCKET.literal(namespace=subject.namespace, **subject.counted)
        return db.fetch_all(BucketCount, statement, using="proof", version=subject.version)
    return db.fetch_all(
        BucketCount,
        BESTS_BY_ORDER.literal(namespace=subject.namespace, board=board.number),
        using="proof",
        version=subject.version,
        boundary_set=board.boundary_set,
    )
