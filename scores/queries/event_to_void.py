"""An event that a void may take out."""

from typing import NamedTuple

from config import db

EVENT_TO_VOID = db.statement(__file__, "event_to_void")


class EventToVoid(NamedTuple):
    """A result or a correction in the ledger."""

    event_id: str
    kind: str
    player_id: str
    score: int | None


def event_to_void(ledger_namespace: int, event_id: str) -> EventToVoid | None:
    """Return the result or correction with this id, the match service's or our own."""
    return db.fetch_one(
        EventToVoid, EVENT_TO_VOID.literal(namespace=ledger_namespace), event_id=event_id
    )
