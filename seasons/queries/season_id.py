"""The id of a season."""

from config import db
from config.errors import SeasonNotFound

SEASON_ID = db.statement(__file__, "season_id")


def season_id_of(slug: str) -> int:
    """Return the id of a season; SeasonNotFound if there is none of this name."""
    found = db.fetch_one(int, SEASON_ID, slug=slug)
    if found is None:
        raise SeasonNotFound
    return found
