"""The first page of the admin: what needs somebody's attention."""

from typing import Any

from django.http import HttpRequest

from config.admin.cells import cells, link_to
from config.admin.pages import Section, Table, may
from leaderboard.admin.jobs import state_of
from leaderboard.queries.readiness import DegradedSeason, degraded_seasons
from leaderboard.queries.unfinished_jobs import unfinished_jobs
from scores.admin.requests import requests_table
from scores.queries.correction_requests import waiting_requests

SHOWN = 10


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add to the page what the person may see of it."""
    parts = {
        "seasons.view_season": _seasons,
        "scores.view_correctionrequest": _requests,
        "leaderboard.view_job": _jobs,
    }
    shown = [part() for permission, part in parts.items() if may(request, permission)]
    return {**context, "sections": shown}


def _seasons() -> Section:
    rows = [
        cells(season.slug, season.number, _age(season), season.failed_check, season.writes_stopped)
        for season in degraded_seasons()
    ]
    headers = ("Season", "Version", "Age", "Failed check", "Writes refused")
    return Section(
        "Seasons that are not as they should be",
        table=Table(headers, rows, empty="All seasons are fresh."),
    )


def _age(season: DegradedSeason) -> str | None:
    return None if season.age_seconds is None else f"{season.age_seconds:.0f} s"


def _requests() -> Section:
    table = requests_table(waiting_requests(limit=SHOWN))
    return Section("Corrections that wait for a decision", table=table)


def _jobs() -> Section:
    rows = [
        cells(
            link_to("leaderboard_job_change", job.id, text=job.id),
            job.kind,
            job.arguments.get("slug"),
            job.requested_by.username,
            state_of(job),
        )
        for job in unfinished_jobs(limit=SHOWN)
    ]
    headers = ("Number", "Kind", "Season", "Asked by", "State")
    return Section("Jobs that are not done", table=Table(headers, rows, empty="All are done."))
