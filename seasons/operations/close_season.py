"""Let a season's cutoff be now."""

import logging

from config.errors import WrongState
from seasons.models import Season
from seasons.queries import SeasonForWrite, season_id_of
from seasons.steps import behind_exclusive_fence, record_transition

log = logging.getLogger(__name__)


def close_season(slug: str, *, actor: str, reason: str) -> None:
    """
    Let an open season's cutoff be now, and record who did it and why: what is completed
    later is late.

    Behind the exclusive fence, so that no write sees two states. Raises SeasonNotFound,
    WrongState for a season that is not open, and Unavailable while writers are in the way.
    """

    def change(season: SeasonForWrite) -> None:
        if season.status != "open":
            raise WrongState(f"The season is {season.status}, not open.")
        Season.objects.filter(id=season.season_id).update(cutoff_at=season.accepted_at)
        record_transition(
            season.season_id, "closing", season.accepted_at, actor=actor, reason=reason
        )

    behind_exclusive_fence(season_id_of(slug), change)
    log.info("season=%s was closed by %s", slug, actor)
