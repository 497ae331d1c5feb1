"""Which seasons there is work to do for."""

from django.db.models import Exists, OuterRef

from config import db
from leaderboard.models import Results, Version
from seasons.models import Season

LIVE_SEASONS = db.statement(__file__, "live_seasons")
SEASONS_TO_FINALIZE = db.statement(__file__, "seasons_to_finalize")


def live_seasons() -> list[int]:
    """Return the ids of the seasons that a version may be due for, the oldest version first."""
    return db.fetch_all(int, LIVE_SEASONS)


def seasons_to_finalize() -> list[int]:
    """Return the ids of the seasons that are to become final now."""
    return db.fetch_all(int, SEASONS_TO_FINALIZE)


def versions_without_checksum() -> list[tuple[int, int]]:
    """Return season and number of the versions to be paid by whose checksum nobody took yet."""
    final = Season.objects.exclude(final_version=None).values_list("namespace", flat=True)
    taken = Results.objects.filter(season_id=OuterRef("season_id"), version=OuterRef("number"))
    lacking = Version.objects.filter(
        ~Exists(taken), namespace__in=list(final), kind__in=("final", "corrected")
    )
    # Whoever asks for results after a correction asks for the newest.
    return list(lacking.order_by("season_id", "-number").values_list("season_id", "number"))


def seasons_to_purge(*, final: bool) -> list[int]:
    """Return the ids of the seasons that are final, or of those that are not; no retired ones."""
    there = Season.objects.filter(retired_at=None, final_version__isnull=not final)
    return list(there.order_by("id").values_list("id", flat=True))
