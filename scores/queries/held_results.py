"""Results that came too late and wait for somebody's decision."""

from datetime import datetime
from typing import NamedTuple

from config import db
from seasons.queries import ledger_namespace_of

HELD_RESULTS = db.statement(__file__, "held_results")
HELD_RESULT = db.statement(__file__, "held_result")


class HeldResult(NamedTuple):
    """A held result as it was sent; `id` is its place in the ledger."""

    id: int
    event_id: str
    match_id: str
    player_id: str
    score: int
    score_version: int
    completed_at: datetime
    display: str | None
    accepted_at: datetime
    decision: str | None = None


def held_results(
    slug: str, *, after: int = 0, limit: int = 100, using: str = "reads"
) -> list[HeldResult]:
    """Return a season's undecided held results in order of acceptance, after a ledger id."""
    ledger = ledger_namespace_of(slug, using=using)
    return db.fetch_all(
        HeldResult,
        HELD_RESULTS.literal(namespace=ledger),
        using=using,
        after=after,
        limit=limit,
    )


def held_result(ledger_namespace: int, event_id: str) -> HeldResult | None:
    """Return one held result, and whether it was released or refused."""
    return db.fetch_one(
        HeldResult, HELD_RESULT.literal(namespace=ledger_namespace), event_id=event_id
    )
