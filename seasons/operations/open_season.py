"""Open a season before its time."""

import logging

from config.errors import WrongState
from seasons.models import Season
from seasons.queries import SeasonForWrite, season_id_of
from seasons.steps import behind_exclusive_fence, record_transition

log = logging.getLogger(__name__)


def open_season(slug: str, *, actor: str, reason: str) -> None:
    """
    Let a scheduled season start now, and record who did it and why.

    Behind the exclusive fence, so that no write sees two states. Raises SeasonNotFound,
    WrongState for a season that has begun already, and Unavailable while writers are in the way.
    """

    def change(season: SeasonForWrite) -> None:
        if season.status != "scheduled":
            raise WrongState(f"The season is {season.status}, not scheduled.")
        Season.objects.filter(id=season.season_id).update(starts_at=season.accepted_at)
        record_transition(season.season_id, "open", season.accepted_at, actor=actor, reason=reason)

    behind_exclusive_fence(season_id_of(slug), change)
    log.info("season=%s was opened by %s", slug, actor)
