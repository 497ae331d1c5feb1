"""The number of a season's current version."""

from config import db

CURRENT_VERSION = db.statement(__file__, "current_version")


def current_version_of(season_id: int, *, using: str = "default") -> int | None:
    """Return the number of the current version, None before the first."""
    return db.fetch_one(int, CURRENT_VERSION, using=using, season_id=season_id)
