"""The events of players about whom something was decided, for a rebuild to fold."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from config import db
from scores.rules import FoldedEvent

REBUILD_EVENTS = db.statement(__file__, "rebuild_events")
REBUILD_DIFFERING_BESTS = db.statement(__file__, "rebuild_differing_bests")

PLAYERS_AT_ONCE = 2_000


class Accepted(NamedTuple):
    """An event of a player, when it was accepted, whose it was, and the region after it."""

    player_id: str
    epoch: int
    kind_group: int
    region: int | None
    event: FoldedEvent


def decided_events(ledger_namespace: int, through: int) -> Iterator[list[Accepted]]:
    """Yield the events of the listed players with decisions, some whole players at a time."""
    db.require_transaction()
    statement = REBUILD_EVENTS.literal(ledger_namespace=ledger_namespace)
    after_player = ""
    while events := db.fetch_all(
        _accepted, statement, through=through, after_player=after_player, limit=PLAYERS_AT_ONCE
    ):
        yield events
        after_player = events[-1].player_id


def differing_bests(namespace: int, replaced: int) -> list[str]:
    """Return the first of the listed players whose bests differ between two namespaces."""
    db.require_transaction()
    return db.fetch_all(
        str,
        REBUILD_DIFFERING_BESTS.literal(namespace=namespace, other_namespace=replaced),
    )


def _accepted(
    player_id: str, epoch: int, kind_group: int, region: int | None, *event: Any
) -> Accepted:
    return Accepted(player_id, epoch, kind_group, region, FoldedEvent(*event))
