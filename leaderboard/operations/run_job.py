"""Do what somebody asked the worker for."""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models.functions import Now

from config import db
from config.errors import Refusal, SeasonExists, SeriesExists, ValidationFailed
from config.http.times import read_time
from leaderboard.models import Job
from leaderboard.operations.create_season import create_season
from leaderboard.operations.create_series import create_series
from leaderboard.operations.finalize_season import finalize_season
from leaderboard.operations.rebuild import CannotRebuild, drop_replaced, rebuild_season
from leaderboard.operations.request_job import (
    CREATE_SEASON,
    CREATE_SERIES,
    DROP_REPLACED,
    FINALIZE_SEASON,
    REBUILD_SEASON,
    VERIFY_SEASON,
)
from leaderboard.operations.verify_season import verify_season
from leaderboard.steps.check_failed import CheckFailed
from seasons.models import Season, Series
from seasons.queries import season_id_of
from seasons.rules import SeasonRules, SeriesRules, WindowWanted

CLAIM_JOB = db.statement(__file__, "claim_job")

# A worker that was killed finishes nothing: after this time another one begins anew.
GIVEN_UP_SECONDS = 15 * 60
FAILED = "It failed; the log of the worker says why."

# Whom readers asked for lately, by the id of the season.
AskedLately = Callable[[int], Sequence[str]]

log = logging.getLogger(__name__)


def nobody(_: int) -> Sequence[str]:
    """Return that nobody was asked for."""
    return ()


class ClaimedJob(NamedTuple):
    """A job that is this worker's now."""

    id: int
    kind: str
    arguments: str
    requested_by_id: int
    requested_at: datetime


class Done(NamedTuple):
    """How a job ended."""

    succeeded: bool
    outcome: str


def run_next_job(
    kinds: Sequence[str],
    *,
    asked_lately: AskedLately = nobody,
    given_up_seconds: int = GIVEN_UP_SECONDS,
) -> int | None:
    """
    Do the oldest waiting job of these kinds and note how it ended: operations in turn.

    `asked_lately` are the players that a rebuild asks its boards for again.
    Returns its id, or None if none waits. Safe to be run twice at once, and again after it was
    killed at any point: each kind of job may be done twice.
    """
    with db.transact:
        job = db.fetch_one(
            ClaimedJob, CLAIM_JOB, kinds=list(kinds), given_up_seconds=given_up_seconds
        )
    if job is None:
        return None
    done = _done(job, asked_lately)
    log.info("job=%s kind=%s succeeded=%s %s", job.id, job.kind, done.succeeded, done.outcome)
    with db.transact:
        Job.objects.filter(id=job.id).update(
            finished_at=Now(), succeeded=done.succeeded, outcome=done.outcome
        )
    return job.id


def _done(job: ClaimedJob, asked_lately: AskedLately) -> Done:
    try:
        return KINDS[job.kind](job, json.loads(job.arguments), asked_lately)
    except ValidationFailed as refusal:
        return Done(succeeded=False, outcome=" ".join(fault.detail for fault in refusal.faults))
    except Refusal as refusal:
        return Done(succeeded=False, outcome=refusal.detail)
    except CheckFailed as failure:
        return Done(succeeded=False, outcome=f"A check failed: {failure}")
    except CannotRebuild as reason:
        return Done(succeeded=False, outcome=str(reason))
    except Exception:
        log.exception("job=%s kind=%s failed", job.id, job.kind)
        return Done(succeeded=False, outcome=FAILED)


def _create_season(job: ClaimedJob, arguments: dict[str, Any], _: AskedLately) -> Done:
    rules = SeasonRules(
        **{
            **arguments,
            "starts_at": read_time(arguments["starts_at"]),
            "cutoff_at": read_time(arguments["cutoff_at"]),
            "regions": tuple(arguments["regions"]),
        }
    )
    try:
        create_season(rules)
    except SeasonExists:
        # A worker that was killed may have made it before it could say so.
        if not Season.objects.filter(slug=rules.slug, created_at__gte=job.requested_at).exists():
            raise
    return Done(succeeded=True, outcome=f"Season {rules.slug} is made.")


def _create_series(job: ClaimedJob, arguments: dict[str, Any], _: AskedLately) -> Done:
    starts_at = arguments["starts_at"]
    rules = SeriesRules(
        **{
            **arguments,
            "starts_at": None if starts_at is None else read_time(starts_at),
            "windows": tuple(WindowWanted(**window) for window in arguments["windows"]),
            "regions": tuple(arguments["regions"]),
        }
    )
    try:
        create_series(rules)
    except SeriesExists:
        # As above; what windows a worker that was killed left unmade, beat makes.
        if not Series.objects.filter(slug=rules.slug, created_at__gte=job.requested_at).exists():
            raise
    return Done(succeeded=True, outcome=f"Series {rules.slug} is made.")


def _finalize_season(job: ClaimedJob, arguments: dict[str, Any], _: AskedLately) -> Done:
    actor = User.objects.values_list("username", flat=True).get(id=job.requested_by_id)
    done = finalize_season(arguments["slug"], actor=actor, reason=arguments["reason"])
    if done.outcome != "final":
        return Done(succeeded=False, outcome=done.detail)
    return Done(succeeded=True, outcome=f"Version {done.version} is final.")


def _verify_season(job: ClaimedJob, arguments: dict[str, Any], _: AskedLately) -> Done:
    done = verify_season(arguments["slug"])
    found = "is what the ledger says" if done.agrees else "is NOT what the ledger says"
    outcome = f"Version {done.version} {found}: verification {done.id}."
    return Done(succeeded=bool(done.agrees), outcome=outcome)


def _rebuild_season(job: ClaimedJob, arguments: dict[str, Any], asked_lately: AskedLately) -> Done:
    slug = arguments["slug"]
    done = rebuild_season(slug, asked_lately=asked_lately(season_id_of(slug)))
    outcome = f"The namespace {done.namespace} is in use; {done.replaces} is kept until dropped."
    return Done(succeeded=True, outcome=outcome)


def _drop_replaced(job: ClaimedJob, arguments: dict[str, Any], _: AskedLately) -> Done:
    dropped = drop_replaced(arguments["slug"])
    named = ", ".join(map(str, dropped))
    return Done(succeeded=True, outcome=f"Dropped: {named}." if dropped else "None was left.")


KINDS: dict[str, Callable[[ClaimedJob, dict[str, Any], AskedLately], Done]] = {
    CREATE_SEASON: _create_season,
    CREATE_SERIES: _create_series,
    FINALIZE_SEASON: _finalize_season,
    VERIFY_SEASON: _verify_season,
    REBUILD_SEASON: _rebuild_season,
    DROP_REPLACED: _drop_replaced,
}
