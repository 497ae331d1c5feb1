"""Ask the worker to do something that needs its role or its time."""

from typing import Any

from django.contrib.auth.models import User

from config import db
from config.errors import Fault, SeasonExists, ValidationFailed
from config.http.times import show_time
from leaderboard.models import Job
from leaderboard.operations.create_series import require_possible
from seasons import rules
from seasons.models import Season
from seasons.queries import season_id_of
from seasons.rules import SeasonRules, SeriesRules

CREATE_SEASON = "create_season"
CREATE_SERIES = "create_series"
FINALIZE_SEASON = "finalize_season"
VERIFY_SEASON = "verify_season"
REBUILD_SEASON = "rebuild_season"
DROP_REPLACED = "drop_replaced"


def request_season(wanted: SeasonRules, *, requested_by: User) -> Job:
    """
    Ask for a season to be made.

    Raises ValidationFailed with each fault at its member, and SeasonExists.
    """
    faults = rules.faults_by_member(wanted)
    if faults:
        raise ValidationFailed([Fault(f"/{member}", "invalid", why) for member, why in faults])
    if Season.objects.filter(slug=wanted.slug).exists():
        raise SeasonExists
    times = {"starts_at": show_time(wanted.starts_at), "cutoff_at": show_time(wanted.cutoff_at)}
    return _request(CREATE_SEASON, {**wanted._asdict(), **times}, requested_by)


def request_series(wanted: SeriesRules, *, requested_by: User) -> Job:
    """
    Ask for a series to be made.

    Raises ValidationFailed with each fault at its member, and SeriesExists.
    """
    require_possible(wanted)
    starts_at = None if wanted.starts_at is None else show_time(wanted.starts_at)
    windows = [window._asdict() for window in wanted.windows]
    arguments = {**wanted._asdict(), "starts_at": starts_at, "windows": windows}
    return _request(CREATE_SERIES, arguments, requested_by)


def request_final(slug: str, *, requested_by: User, reason: str) -> Job:
    """Ask for a season to be made final, once its grace time is over; SeasonNotFound."""
    season_id_of(slug)
    return _request(FINALIZE_SEASON, {"slug": slug, "reason": reason}, requested_by)


def request_verification(slug: str, *, requested_by: User) -> Job:
    """Ask for the current version to be computed anew and compared; SeasonNotFound."""
    season_id_of(slug)
    return _request(VERIFY_SEASON, {"slug": slug}, requested_by)


def request_rebuild(slug: str, *, requested_by: User) -> Job:
    """Ask for bests and boards to be made anew from the ledger; SeasonNotFound."""
    season_id_of(slug)
    return _request(REBUILD_SEASON, {"slug": slug}, requested_by)


def request_drop(slug: str, *, requested_by: User) -> Job:
    """Ask for the namespaces that rebuilds replaced to be dropped; SeasonNotFound."""
    season_id_of(slug)
    return _request(DROP_REPLACED, {"slug": slug}, requested_by)


def _request(kind: str, arguments: dict[str, Any], requested_by: User) -> Job:
    with db.transact:
        return Job.objects.create(kind=kind, arguments=arguments, requested_by=requested_by)
