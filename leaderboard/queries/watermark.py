"""How far a version goes into the ledger, and whether more was accepted since."""

from config import db

LAST_LEDGER_ID = db.statement(__file__, "last_ledger_id")
CHANGED_SINCE = db.statement(__file__, "changed_since")


def last_ledger_id(ledger_namespace: int, through: int) -> int | None:
    """Return the id of the last ledger row up to an epoch, None before the first."""
    return db.fetch_one(
        lambda found: found, LAST_LEDGER_ID.literal(namespace=ledger_namespace), through=through
    )


def changed_since(ledger_namespace: int, through: int) -> bool:
    """Return whether something that a board shows was accepted after an epoch."""
    return bool(
        db.fetch_one(bool, CHANGED_SINCE.literal(namespace=ledger_namespace), through=through)
    )
