"""Events as the ledger has them, for people who look at it: always in the order of an index."""

from datetime import datetime
from typing import NamedTuple

from config import db
from scores.rules import OUR_OWN, Receipt
from seasons.rules import ScoreRange

EVENTS_WITH_ID = db.statement(__file__, "events_with_id")
NEWEST_EVENTS = db.statement(__file__, "newest_events")
CHANGES_OF_PLAYER = db.statement(__file__, "changes_of_player")
OTHERS_OF_PLAYER = db.statement(__file__, "others_of_player")

LARGEST = 2**63 - 1


class LedgerEvent(NamedTuple):
    """A row of the ledger."""

    id: int
    epoch: int
    kind_group: int
    kind: str
    event_id: str
    match_id: str | None
    player_id: str
    score: int | None
    score_version: int
    revision: int
    completed_at: datetime | None
    accepted_at: datetime
    outcome: str
    void_event_id: str | None
    corrects_event_id: str | None
    reason: str | None
    evidence: str | None
    approved_by: str | None
    receipt_score: int | None
    receipt_version: int | None
    visible_in_version: int | None
    change_no: int | None
    old_score: int | None
    new_score: int | None

    def turned(self, scores: ScoreRange) -> "LedgerEvent":
        """Return the row with scores in place of merits."""
        return self._replace(
            score=scores.turned(self.score),
            receipt_score=scores.turned(self.receipt_score),
            old_score=scores.turned(self.old_score),
            new_score=scores.turned(self.new_score),
        )


class Place(NamedTuple):
    """Where a page of the ledger ended: the next one has what comes before."""

    epoch: int = LARGEST
    id: int = LARGEST


NEWEST = Place()


def events_with_id(
    ledger_namespace: int, event_id: str, *, using: str = "reads"
) -> list[LedgerEvent]:
    """Return the match service's event with this id, and our own; two at most."""
    statement = EVENTS_WITH_ID.literal(namespace=ledger_namespace)
    return db.fetch_all(LedgerEvent, statement, using=using, event_id=event_id)


def newest_events(
    ledger_namespace: int, *, before: Place = NEWEST, limit: int, using: str = "reads"
) -> list[LedgerEvent]:
    """Return a season's events before a place, newest first."""
    return db.fetch_all(
        LedgerEvent,
        NEWEST_EVENTS.literal(namespace=ledger_namespace),
        using=using,
        before_epoch=before.epoch,
        before_id=before.id,
        most=limit,
    )


def changes_of_player(
    ledger_namespace: int,
    player_id: str,
    *,
    before: int = LARGEST,
    limit: int,
    using: str = "reads",
) -> list[LedgerEvent]:
    """Return the events that touched a player's best, newest first, before a `change_no`."""
    return db.fetch_all(
        LedgerEvent,
        CHANGES_OF_PLAYER.literal(namespace=ledger_namespace),
        using=using,
        player_id=player_id,
        before=before,
        most=limit,
    )


def others_of_player(
    ledger_namespace: int,
    player_id: str,
    *,
    before: int = LARGEST,
    limit: int,
    using: str = "reads",
) -> list[LedgerEvent]:
    """Return a player's events without effect on the best, newest first, before an id."""
    return db.fetch_all(
        LedgerEvent,
        OTHERS_OF_PLAYER.literal(namespace=ledger_namespace),
        using=using,
        player_id=player_id,
        before=before,
        most=limit,
    )


def own_receipt(ledger_namespace: int, event_id: str) -> Receipt:
    """Return the receipt of an event of our own, which must be there, as a repetition."""
    found = events_with_id(ledger_namespace, event_id, using="default")
    (row,) = [event for event in found if event.kind_group == OUR_OWN]
    return Receipt(
        row.event_id,
        row.player_id,
        row.outcome,
        replayed=True,
        best_score=row.receipt_score,
        score_version=row.receipt_version,
        visible_in_version=row.visible_in_version,
    )
