"""
Results that are the newest of their players: applied and recorded by one statement.

What became of a best is known where it is written, so the ledger and the undo are written there
too, and a batch of a thousand is sent once instead of three times.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from config import db
from scores import rules
from scores.rules import Event
from seasons.queries import SeasonForWrite

APPLY_RESULTS = db.statement(__file__, "apply_results")
TAKE_RESULTS = db.statement(__file__, "take_results").with_parts(applied=APPLY_RESULTS)


class TakenResult(NamedTuple):
    """What became of a result that was the newest of its player, and what boards showed."""

    player_id: str
    outcome: str
    best_score: int | None
    visible_in_version: int | None
    change_no: int
    old_score: int | None
    new_score: int | None


def take(
    season: SeasonForWrite, boards: Mapping[str, int], events: Sequence[Event]
) -> dict[str, TakenResult]:
    """
    Apply and record one result a player; return what became of it, by player.

    Players who had an equal or newer version are absent, and their results not recorded.
    An id that the ledger has already, or that another transaction is using, violates
    `event_once_per_season`.
    """
    db.require_transaction()
    rows = db.fetch_all(
        TakenResult,
        TAKE_RESULTS.literal(namespace=season.namespace, ledger_namespace=season.ledger_namespace),
        accepted_at=season.accepted_at,
        event_ids=[event.event_id for event in events],
        match_ids=[event.match_id for event in events],
        completed_ats=[event.completed_at for event in events],
        displays=_unless_empty([event.display for event in events]),
        **sent(season, boards, events),
    )
    return {row.player_id: row for row in rows}


def sent(
    season: SeasonForWrite, boards: Mapping[str, int], events: Sequence[Event]
) -> dict[str, Any]:
    """Return what is to be folded into the bests, as parameters of `apply_results`."""
    return {
        "epoch": season.open_epoch,
        "player_ids": [event.player_id for event in events],
        "scores": [event.best_score for event in events],
        "tie_keys": _tie_keys(season.tie_rule, events),
        "regions": [boards.get(event.player_id) for event in events] if boards else None,
        "score_versions": [event.score_version for event in events],
        "latest_counts": season.keep == rules.LATEST,
    }


def _tie_keys(tie_rule: str, events: Sequence[Event]) -> list[int] | None:
    """Return the tie keys of results, None where all are 0."""
    if tie_rule != rules.EARLIEST:
        return None
    return [rules.tie_key_of(event.completed_at, tie_rule) for event in events]


def _unless_empty(values: list[str | None]) -> list[str | None] | None:
    return values if any(values) else None
