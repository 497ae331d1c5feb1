"""The stored top of a board."""

from typing import NamedTuple

from config import db

STORED_TOP = db.statement(__file__, "stored_top")


class StoredTop(NamedTuple):
    """The highest places of a board at a version, best first: arrays of equal length."""

    player_ids: list[str]
    scores: list[int]
    tie_keys: list[int]
    ranks: list[int]


def stored_top(
    namespace: int, version: int, board: int, *, using: str = "default"
) -> StoredTop | None:
    """Return the top of a board at a version, or None if the version is not there."""
    return db.fetch_one(
        StoredTop,
        STORED_TOP.literal(namespace=namespace),
        using=using,
        version=version,
        board=board,
    )
