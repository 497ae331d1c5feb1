"""The ledger itself: is each row as it was written, is none missing, does undo follow from it."""

from config import db
from leaderboard.proof.findings import Check, compared
from leaderboard.proof.session import Clock, Session
from leaderboard.proof.subject import Subject

CREATE_EPOCHS = db.statement(__file__, "create_epochs")
HASH_LEDGER = db.statement(__file__, "hash_ledger")
ALTERED_ROWS = db.statement(__file__, "altered_rows")
DIFFERING_VERSIONS = db.statement(__file__, "differing_versions")
DIFFERING_UNDO = db.statement(__file__, "differing_undo")


def check_ledger(subject: Subject, session: Session, clock: Clock) -> list[Check]:
    """Hash every row anew, in a session of the calling thread's own."""
    namespaces = {"namespace": subject.namespace, "season_id": subject.season_id}
    ledger = {"ledger_namespace": subject.ledger_namespace}
    with session.opened(CREATE_EPOCHS):
        with clock.phase("hash the ledger"):
            epochs = db.execute(HASH_LEDGER, using="proof", **ledger, through=subject.through)
            altered = compared("ledger rows", epochs, ALTERED_ROWS, **ledger)
        with clock.phase("compare the versions' hashes"):
            versions = compared(
                "ledger of versions",
                epochs,
                DIFFERING_VERSIONS.literal(**namespaces),
                through=subject.through,
            )
        with clock.phase("compare undo"):
            undo = compared(
                "undo", 0, DIFFERING_UNDO.literal(namespace=subject.namespace), **ledger
            )
    return [altered, versions, undo]
