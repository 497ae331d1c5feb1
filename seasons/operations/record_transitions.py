"""Record that a season opened or began to close."""

import logging

from seasons.queries import SeasonForWrite
from seasons.rules import Status, due_transitions
from seasons.steps import behind_exclusive_fence, record_transition

CLOCK = "clock"
REASONS = {"open": "The start was reached.", "closing": "The cutoff was reached."}

log = logging.getLogger(__name__)


def record_transitions(season_id: int) -> list[Status]:
    """
    Record the states that the season has reached by the database's clock; return the new ones.

    Behind the exclusive fence, so that no write sees two states. A season that was not looked
    at for long gets all that it missed, in order. Raises Unavailable while writers are in the
    way; the states hold all the same.
    """
    return behind_exclusive_fence(season_id, _record)


def _record(season: SeasonForWrite) -> list[Status]:
    due = due_transitions(
        starts_at=season.starts_at, cutoff_at=season.cutoff_at, now=season.accepted_at
    )
    new = [
        status
        for status, since in due
        if record_transition(season.season_id, status, since, actor=CLOCK, reason=REASONS[status])
    ]
    for status in new:
        log.info("season=%s is %s", season.season_id, status)
    return new
