"""What is done to a season in the admin: each asks first, and says clearly when it is refused."""

from collections.abc import Callable
from typing import NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from config.admin import audit
from config.admin.asking import Question, ReasonForm, ask, sent
from config.admin.pages import Button, may, require
from config.admin.people import person
from config.errors import Unavailable
from leaderboard.operations import seal_and_publish
from leaderboard.operations.request_job import (
    request_drop,
    request_final,
    request_rebuild,
    request_verification,
)
from leaderboard.queries.published import published
from leaderboard.steps.check_failed import CheckFailed
from seasons.models import Season
from seasons.operations import close_season, open_season

RUN = "seasons.run_season"


class Done(NamedTuple):
    """What to tell, and where to go on."""

    message: str
    url: str


class Act(NamedTuple):
    """Something that is done to a season: its words, and in which states there is a button."""

    button: str
    meaning: str
    do: Callable[[HttpRequest, Season, str], Done]
    states: tuple[str, ...]
    variant: str = "default"


def act_on_season(request: HttpRequest, season_id: int, act: str) -> HttpResponse:
    """Ask why, and then do it."""
    require(request, RUN)
    season = Season.objects.filter(id=season_id).first()
    if season is None or act not in ACTS:
        raise Http404
    wanted = ACTS[act]

    def do(answers: dict[str, str]) -> str:
        done = wanted.do(request, season, answers["reason"])
        audit.note(request, season, wanted.button, answers["reason"])
        messages.success(request, done.message)
        return done.url

    question = Question(
        f"{wanted.button}: {season.slug}",
        wanted.meaning,
        wanted.button,
        _url(season),
        variant="primary" if wanted.variant == "default" else wanted.variant,
    )
    return ask(request, question, ReasonForm(sent(request)), do)


def buttons(request: HttpRequest, season_id: int) -> list[Button]:
    """Return a button for whatever can be done to the season in its state."""
    if not may(request, RUN):
        return []
    status = published(Season.objects.values_list("slug", flat=True).get(id=season_id)).status
    return [
        Button(act.button, reverse("admin:seasons_season_act", args=[season_id, name]))
        for name, act in ACTS.items()
        if status in act.states
    ]


def _open(request: HttpRequest, season: Season, reason: str) -> Done:
    open_season(season.slug, actor=person(request).username, reason=reason)
    return Done("The season is open.", _url(season))


def _close(request: HttpRequest, season: Season, reason: str) -> Done:
    close_season(season.slug, actor=person(request).username, reason=reason)
    return Done("The season is closing: its cutoff is now.", _url(season))


def _publish(request: HttpRequest, season: Season, reason: str) -> Done:
    try:
        done = seal_and_publish(season.id, despite_stop=True)
    except CheckFailed as failure:
        detail = f"A check failed, the old version stays: {failure}"
        raise Unavailable(detail) from failure
    return Done(f"{done.outcome}: version {done.version}, {done.changes} changes.", _url(season))


def _finalize(request: HttpRequest, season: Season, reason: str) -> Done:
    job = request_final(season.slug, requested_by=person(request), reason=reason)
    return Done("The worker proves and freezes it: this page tells the outcome.", _job_url(job.id))


def _verify(request: HttpRequest, season: Season, reason: str) -> Done:
    job = request_verification(season.slug, requested_by=person(request))
    return Done("The worker verifies it: this page tells the outcome.", _job_url(job.id))


def _rebuild(request: HttpRequest, season: Season, reason: str) -> Done:
    job = request_rebuild(season.slug, requested_by=person(request))
    return Done("The worker rebuilds it: this page tells the outcome.", _job_url(job.id))


def _drop(request: HttpRequest, season: Season, reason: str) -> Done:
    job = request_drop(season.slug, requested_by=person(request))
    return Done("The worker drops them: this page tells the outcome.", _job_url(job.id))


def _url(season: Season) -> str:
    return reverse("admin:seasons_season_change", args=[season.id])


def _job_url(job_id: int) -> str:
    return reverse("admin:leaderboard_job_change", args=[job_id])


ACTS = {
    "open": Act("Open now", "The season starts now, before its time.", _open, ("scheduled",)),
    "close": Act(
        "Close now",
        "The cutoff is now: what is completed later is late.",
        _close,
        ("open",),
        "danger",
    ),
    "finalize": Act(
        "Make final",
        "Once the grace time is over, the version is proved from the ledger and frozen for ever.",
        _finalize,
        ("closing",),
        "danger",
    ),
    "publish": Act(
        "Publish now",
        "Seals and publishes at once. If a check stopped the publication, it is tried again.",
        _publish,
        ("scheduled", "open", "closing", "final"),
    ),
    "verify": Act(
        "Verify",
        "Computes the current version anew from the ledger and compares; writes go on.",
        _verify,
        ("scheduled", "open", "closing", "final"),
    ),
    "rebuild": Act(
        "Rebuild",
        "Makes bests and boards anew from the ledger, compares, and swaps; writes go on.",
        _rebuild,
        ("open", "closing", "final"),
        "danger",
    ),
    "drop": Act(
        "Drop replaced boards",
        "Drops what rebuilds of this season replaced. It cannot be brought back.",
        _drop,
        ("open", "closing", "final"),
        "danger",
    ),
}
