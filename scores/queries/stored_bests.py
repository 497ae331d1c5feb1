"""What is stored of a player."""

from collections.abc import Collection
from typing import NamedTuple

from config import db

STORED_BESTS = db.statement(__file__, "stored_bests")


class StoredBest(NamedTuple):
    """A player's best, hidden or not, and the version it came with."""

    player_id: str
    score: int | None
    score_version: int | None


def stored_bests(namespace: int, player_ids: Collection[str]) -> dict[str, StoredBest]:
    """Return what is stored of these players, by player; those without a best are absent."""
    rows = db.fetch_all(
        StoredBest, STORED_BESTS.literal(namespace=namespace), player_ids=list(player_ids)
    )
    return {row.player_id: row for row in rows}
