"""Which seasons there is work to do for."""

from config import db
from seasons.models import Season

LIVE_SEASONS = db.statement(__file__, "live_seasons")
SEASONS_TO_FINALIZE = db.statement(__file__, "seasons_to_finalize")


def live_seasons() -> list[int]:
    """Return the ids of the seasons that a version may have to be made for."""
    return db.fetch_all(int, LIVE_SEASONS)


def seasons_to_finalize() -> list[int]:
    """Return the ids of the seasons that are to become final now."""
    return db.fetch_all(int, SEASONS_TO_FINALIZE)


def every_season() -> list[int]:
    """Return the ids of all seasons."""
    return list(Season.objects.order_by("id").values_list("id", flat=True))
