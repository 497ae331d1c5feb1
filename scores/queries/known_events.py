"""Events that are in the ledger already."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from config import db
from scores.rules import CORRECTION, RESULT, VOID, Correction, Event, Receipt

KNOWN_EVENTS = db.statement(__file__, "known_events")


class KnownEvent(NamedTuple):
    """The content of an event in the ledger, and its receipt."""

    event_id: str
    kind: str
    match_id: str | None
    player_id: str
    score: int | None
    score_version: int
    completed_at: datetime | None
    achieved_at: datetime | None
    keeps_time: bool
    void_event_id: str | None
    corrects_event_id: str | None
    reason: str | None
    evidence: str | None
    approved_by: str | None
    display: str | None
    moved_to: str | None
    outcome: str
    receipt_score: int | None
    receipt_version: int | None
    visible_in_version: int | None

    @property
    def receipt(self) -> Receipt:
        """Return the event's first receipt, marked as a repetition."""
        return Receipt(
            self.event_id,
            self.player_id,
            self.outcome,
            replayed=True,
            best_score=self.receipt_score,
            score_version=self.receipt_version,
            visible_in_version=self.visible_in_version,
            moved_to=self.moved_to,
        )

    def is_result(self, event: Event) -> bool:
        """Return whether the ledger has exactly this result."""
        return self.kind == RESULT and event == Event(
            self.event_id,
            self.match_id or "",
            self.player_id,
            -1 if self.score is None else self.score,
            self.score_version,
            self.completed_at or event.completed_at,
            self.display,
        )

    def is_correction(self, correction: Correction) -> bool:
        """Return whether the ledger has exactly this correction."""
        return self[:14] == (
            correction.event_id,
            VOID if correction.kind == "void" else CORRECTION,
            None,
            correction.player_id,
            correction.corrected_score,
            correction.score_version,
            None,
            correction.achieved_at,
            correction.keeps_time,
            correction.void_event_id,
            correction.corrects_event_id,
            correction.reason,
            correction.evidence,
            correction.approved_by,
        )


def known_events(namespace: int, event_ids: Iterable[str]) -> dict[str, KnownEvent]:
    """Return those of the match service's events that are in the ledger, by id."""
    rows = db.fetch_all(
        KnownEvent, KNOWN_EVENTS.literal(namespace=namespace), event_ids=list(event_ids)
    )
    return {row.event_id: row for row in rows}
