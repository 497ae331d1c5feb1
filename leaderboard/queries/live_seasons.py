"""Which seasons there is work to do for."""

from config import db
from seasons.models import Season

LIVE_SEASONS = db.statement(__file__, "live_seasons")


def live_seasons() -> list[int]:
    """Return the ids of the seasons that have begun and are not final."""
    return db.fetch_all(int, LIVE_SEASONS)


def every_season() -> list[int]:
    """Return the ids of all seasons."""
    return list(Season.objects.order_by("id").values_list("id", flat=True))
