"""Whether the bests of a namespace are there."""

from config import db

BESTS_PRESENT = db.statement(__file__, "bests_present")


def bests_present(namespace: int) -> bool:
    """Return whether a namespace has the sentinel of its bests; without it they are lost."""
    return bool(db.fetch_one(bool, BESTS_PRESENT.literal(namespace=namespace)))
