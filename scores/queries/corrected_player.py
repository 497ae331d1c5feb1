"""What a correction must know of its player."""

from typing import NamedTuple

from config import db
from scores.rules import Fold, FoldedEvent

LOCKED_BEST = db.statement(__file__, "locked_best")
FOLDED_EVENTS = db.statement(__file__, "folded_events")


class LockedBest(NamedTuple):
    """A player's best, locked until the transaction ends."""

    player_id: str
    score: int | None
    hidden_score: int | None
    removed: bool
    tie_key: int
    hidden_tie_key: int | None
    region: int | None
    score_version: int
    revision: int
    epoch: int
    change_no: int

    @property
    def state(self) -> Fold:
        """Return what the player's events have folded to; the time is kept as a tie key."""
        return Fold(self.hidden_score if self.removed else self.score, None, self.removed)


def locked_best(namespace: int, player_id: str) -> LockedBest:
    """Lock the player's row, which must be there, and return it."""
    db.require_transaction()
    found = db.fetch_one(LockedBest, LOCKED_BEST.literal(namespace=namespace), player_id=player_id)
    assert found is not None
    return found


def folded_events(namespace: int, player_id: str) -> list[FoldedEvent]:
    """Return the player's events that count, in the order in which they were applied."""
    return db.fetch_all(
        FoldedEvent, FOLDED_EVENTS.literal(namespace=namespace), player_id=player_id
    )
