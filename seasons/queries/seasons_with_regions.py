"""Which seasons have boards of regions that may still change."""

from config import db

SEASONS_WITH_REGIONS = db.statement(__file__, "seasons_with_regions")


def seasons_with_regions() -> list[int]:
    """Return the ids of the seasons with regions that are not final, ascending."""
    return db.fetch_all(int, SEASONS_WITH_REGIONS)
