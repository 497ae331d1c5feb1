"""The id of a season."""

from config import db
from config.errors import SeasonNotFound
from seasons.models import Season

SEASON_ID = db.statement(__file__, "season_id")


def season_id_of(slug: str) -> int:
    """Return the id of a season; SeasonNotFound if there is none of this name."""
    found = db.fetch_one(int, SEASON_ID, slug=slug)
    if found is None:
        raise SeasonNotFound
    return found


def slug_of(season_id: int) -> str:
    """Return the slug of a season that is there."""
    return Season.objects.values_list("slug", flat=True).get(id=season_id)


def ledger_namespace_of(slug: str, *, using: str = "default") -> int:
    """Return the partition of a season's ledger; SeasonNotFound if there is no such season."""
    seasons = Season.objects.using(using).filter(slug=slug)
    found = seasons.values_list("ledger_namespace", flat=True).first()
    if found is None:
        raise SeasonNotFound
    return found
