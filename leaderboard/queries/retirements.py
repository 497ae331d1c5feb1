"""Which seasons are to be retired."""

from config import db

SEASONS_TO_RETIRE = db.statement(__file__, "seasons_to_retire")


def seasons_to_retire() -> list[int]:
    """Return the ids of the seasons that were kept long enough, the oldest first."""
    return db.fetch_all(int, SEASONS_TO_RETIRE)
