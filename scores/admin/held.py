"""Results that came too late, in the admin: let in or refuse each, with a reason."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html

from config.admin import audit, seeking
from config.admin.asking import Question, ReasonForm, ask, sent
from config.admin.cells import cells, link_to
from config.admin.pages import FormOnPage, Section, Table, may, page, page_of, require
from config.admin.people import person
from config.errors import SeasonNotFound
from scores.admin.events import event_link, event_section, player_link
from scores.operations import refuse_held, release_held
from scores.queries.held_results import HeldResult, held_results
from scores.queries.ledger_events import events_with_id
from seasons.models import Season
from seasons.queries import ledger_namespace_of, season_id_of
from seasons.queries.score_range import score_range_of
from seasons.rules import ScoreRange

PAGE = 50
HEADERS = ("Accepted", "Completed", "Event", "Match", "Player", "Score", "Version", "Decision")
DECIDE = "scores.decide_held"
_ACTS = {"release": release_held, "refuse": refuse_held}
_WORDS = {"release": ("Let in", "It counts from now on, at its own version."),
          "refuse": ("Refuse", "It never counts.")}  # fmt: skip


def held_list(request: HttpRequest) -> HttpResponse:
    """Show the held results of a season that wait for a decision, oldest first."""
    require(request, "scores.view_ledger")
    form = seeking.sought(request, seeking.SeasonForm)
    sections: list[Section] = []
    if form.is_valid():
        try:
            sections = [_waiting(request, form.cleaned_data["season"])]
        except SeasonNotFound as refusal:
            form.add_error("season", refusal.detail)
    return page(
        request, "Held results", sections=sections, form=FormOnPage(form, "Show", method="get")
    )


def decide_held(request: HttpRequest, slug: str, event_id: str, how: str) -> HttpResponse:
    """Ask why, and then let a held result in or refuse it."""
    require(request, DECIDE)
    if how not in _ACTS:
        raise Http404
    word, meaning = _WORDS[how]
    try:
        events = events_with_id(ledger_namespace_of(slug), event_id)
    except SeasonNotFound:
        raise Http404 from None
    question = Question(
        f"{word}: {event_id}",
        meaning,
        word,
        held_url(slug),
        variant="primary" if how == "release" else "danger",
        sections=tuple(event_section("The result", slug, event) for event in events[:1]),
    )

    def act(answers: dict[str, Any]) -> str:
        actor, reason = person(request).username, answers["reason"]
        receipt = _ACTS[how](slug, event_id, actor=actor, reason=reason)
        season = Season.objects.get(id=season_id_of(slug))
        audit.note(
            request, season, f"{word} held result {event_id} of {receipt.player_id}", reason
        )
        messages.success(request, f"{word}: {event_id}. Best score now: {receipt.best_score}.")
        return held_url(slug)

    return ask(request, question, ReasonForm(sent(request)), act)


def held_url(slug: str, **asked: object) -> str:
    """Return the address of a season's held results."""
    query = urlencode({"season": slug, **asked})
    return f"{reverse('admin:scores_ledger_held')}?{query}"


def _waiting(request: HttpRequest, slug: str) -> Section:
    season_id_of(slug)
    after = seeking.number_in(request, "after", 0)
    rows, last = page_of(held_results(slug, after=after, limit=PAGE + 1), PAGE)
    decides, scores = may(request, DECIDE), score_range_of(slug)
    return Section(
        "Waiting for a decision, oldest first",
        table=Table(
            HEADERS,
            [_row(slug, scores, held, decides=decides) for held in rows],
            held_url(slug, after=last.id) if last else "",
            "No held results wait for a decision.",
        ),
    )


def _row(slug: str, scores: ScoreRange, held: HeldResult, *, decides: bool) -> list[str]:
    return cells(
        held.accepted_at,
        held.completed_at,
        event_link(slug, held.event_id),
        held.match_id,
        player_link(slug, held.player_id),
        scores.turned(held.score),
        held.score_version,
        _decision(slug, held) if decides else None,
    )


def _decision(slug: str, held: HeldResult) -> str:
    links = [
        link_to("scores_ledger_decide", slug, held.event_id, how, text=_WORDS[how][0])
        for how in _ACTS
    ]
    return format_html("{} · {}", *links)
