"""Make a season final: candidate, reconciliation, and the version that is frozen for ever."""

import logging
from datetime import datetime, timedelta
from typing import NamedTuple

from config import db
from config.errors import Unavailable, WrongState
from leaderboard.models import Candidate, Current, Stop
from leaderboard.operations.seal_and_publish import seal_and_publish
from leaderboard.operations.take_checksum import take_checksum
from leaderboard.operations.verify_season import verify_season
from leaderboard.steps.candidates import (
    choose_candidate,
    discard,
    make_final,
    standing_candidate,
)
from seasons.models import Season
from seasons.operations import record_transitions
from seasons.queries import SeasonForWrite, season_for_write, season_id_of
from seasons.steps import behind_exclusive_fence

CANDIDATES_AT_ONCE = 3

log = logging.getLogger(__name__)


class Finalization(NamedTuple):
    """What became of a season that was to be final, and the version that this is about."""

    outcome: str
    version: int | None = None
    detail: str = ""


def finalize_season(slug: str, *, actor: str, reason: str) -> Finalization:
    """
    Publish a candidate, prove it from the ledger, and freeze it: several operations in turn.

    Outcomes: `final`; `disagrees` (the candidate differs from the ledger: the season stays
    closing, and the next call tries again); `discarded` (corrections kept coming in).
    Raises SeasonNotFound, WrongState for a season that is not closing or whose grace time is
    not over, and Unavailable while its publication stands still or writers are in the way.
    Safe to be run twice at once, and again after it was killed at any point.
    """
    season = Season.objects.get(id=season_id_of(slug))
    _require_over(season)
    record_transitions(season.id)
    for _ in range(CANDIDATES_AT_ONCE):
        candidate = _candidate(season)
        verification = verify_season(slug, version=candidate.version)
        Candidate.objects.filter(id=candidate.id).update(verification=verification)
        if not verification.agrees:
            log.error("season=%s version=%s is not what its ledger says", slug, candidate.version)
            detail = "The candidate is not what the ledger says: see its verification."
            return Finalization("disagrees", candidate.version, detail)
        # Taken before the freeze, so that whoever sees a final season can have its results.
        take_checksum(slug, candidate.version)
        if _freeze(season.id, candidate, actor, reason):
            log.info("season=%s is final version=%s by=%s", slug, candidate.version, actor)
            return Finalization("final", candidate.version)
    return Finalization("discarded", detail="Corrections kept coming in; it is tried again.")


def _require_over(season: Season) -> None:
    with db.transact:
        now = season_for_write(season.id)
    if now.status != "closing":
        raise WrongState(f"The season is {now.status}, not closing.")
    over_at = now.cutoff_at + timedelta(seconds=now.grace_seconds)
    if now.accepted_at < over_at:
        raise WrongState(f"The grace time is not over before {over_at:%Y-%m-%d %H:%M:%S} UTC.")
    if Stop.objects.filter(season_id=season.id).exists():
        raise Unavailable("Its publication was stopped by a failed check.")


def _candidate(season: Season) -> Candidate:
    """Return the candidate that stands, or publish one that includes all that was in time."""
    standing = standing_candidate(season.id)
    if standing is not None:
        number = Current.objects.values_list("number", flat=True).get(season_id=season.id)
        if number == standing.version:
            return standing
        with db.transact:
            discard(standing, "Another version was published after it.")
    over_at = season.cutoff_at + timedelta(seconds=season.grace_seconds)
    if seal_and_publish(season.id).more or _as_of(season.id) < over_at:
        raise Unavailable("What was in time is not published yet.")
    with db.transact:
        return choose_candidate(season)


def _as_of(season_id: int) -> datetime:
    return Current.objects.values_list("as_of", flat=True).get(season_id=season_id)


def _freeze(season_id: int, candidate: Candidate, actor: str, reason: str) -> bool:
    def change(season: SeasonForWrite) -> bool:
        if season.status == "final":
            return True
        return make_final(season, candidate, actor=actor, reason=reason)

    return behind_exclusive_fence(season_id, change)
