"""The id of a season."""

from typing import NamedTuple

from config import db
from config.errors import SeasonNotFound, SeasonRetired
from seasons.models import Season

SEASON_ID = db.statement(__file__, "season_id")


class Named(NamedTuple):
    """A season that has the name asked for."""

    id: int
    retired: bool


def season_id_of(slug: str) -> int:
    """Return the id of a season; SeasonNotFound if there is none, SeasonRetired if it is gone."""
    found = db.fetch_one(Named, SEASON_ID, slug=slug)
    if found is None:
        raise SeasonNotFound
    if found.retired:
        raise SeasonRetired
    return found.id


def slug_of(season_id: int) -> str:
    """Return the slug of a season that is there."""
    return Season.objects.values_list("slug", flat=True).get(id=season_id)


def ledger_namespace_of(slug: str, *, using: str = "default") -> int:
    """Return the partition of a season's ledger; SeasonNotFound, or SeasonRetired."""
    seasons = Season.objects.using(using).filter(slug=slug)
    found = seasons.values_list("ledger_namespace", "retired_at").first()
    if found is None:
        raise SeasonNotFound
    namespace, retired_at = found
    if retired_at is not None:
        raise SeasonRetired
    return namespace
