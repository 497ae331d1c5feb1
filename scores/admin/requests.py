"""Correction requests in the admin: those that wait, those that were decided, and each one."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse

from config.admin import audit, seeking
from config.admin.asking import Question, ReasonForm, ask, sent
from config.admin.cells import badge, cells, link_to, outside_link, shown
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Button, Section, Table, may, page, page_of, require
from config.admin.people import person
from config.admin.policy import corrections_need_two
from config.errors import SeasonNotFound
from scores.admin.events import event_link, event_section, player_link
from scores.admin.request_form import CorrectionForm, wanted_by
from scores.models import CorrectionRequest
from scores.operations import approve_correction, reject_correction, request_correction
from scores.queries.correction_requests import decided_requests, waiting_requests
from scores.queries.ledger_events import LARGEST, events_with_id
from seasons.queries import ledger_namespace_of

PAGE = 50
HEADERS = ("Number", "Season", "Player", "Asked for", "By", "At", "Reason", "State", "Decided by")
STATES = {"requested": ("waiting", "warning"), "approved": ("approved", "success"),
          "rejected": ("rejected", "danger")}  # fmt: skip
LOOK = "scores.view_correctionrequest"
REQUEST = "scores.add_correctionrequest"
DECIDE = "scores.decide_correctionrequest"


@admin.register(CorrectionRequest)
class CorrectionRequestAdmin(LookOnlyAdmin):
    """Asks for corrections and decides on them; both go on record."""

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the lists, of the form, and of each request."""
        wrap = self.admin_site.admin_view
        name = "scores_correctionrequest"
        return [
            path("", wrap(self.changelist_view), name=f"{name}_changelist"),
            path("add/", wrap(self.add_view), name=f"{name}_add"),
            path("<int:object_id>/change/", wrap(self.change_view), name=f"{name}_change"),
            path("<int:request_id>/approve/", wrap(approve), name=f"{name}_approve"),
            path("<int:request_id>/reject/", wrap(reject), name=f"{name}_reject"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show what waits, oldest first, or what was decided, newest first."""
        require(request, LOOK)
        decided = request.GET.get("state") == "decided"
        buttons = [
            Button("Waiting", list_url(), "default" if decided else "primary"),
            Button("Decided", list_url(state="decided"), "primary" if decided else "default"),
        ]
        if may(request, REQUEST):
            buttons.append(Button("Ask for a correction", form_url()))
        section = _decided(request) if decided else _waiting(request)
        return page(request, "Correction requests", sections=[section], buttons=buttons)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for a correction; what it is about comes with the address."""
        require(request, REQUEST)
        form = CorrectionForm(sent(request), initial=request.GET.dict())

        def act(answers: dict[str, Any]) -> str:
            made = request_correction(
                answers["season"], wanted_by(answers), requested_by=person(request)
            )
            audit.note(request, made, f"Asked for: {asked_for(made)}", made.reason, new=True)
            messages.success(request, "The request waits for somebody to decide on it.")
            return request_url(made.id)

        question = Question(
            "Ask for a correction",
            "Nothing changes before somebody approves it.",
            "Ask for it",
            list_url(),
            sections=_original(form.shown_season, form.shown_event),
        )
        return ask(request, question, form, act)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a request with what it is about, and what came of it."""
        require(request, LOOK)
        found = _request_or_404(int(object_id))
        return page(
            request,
            f"Correction request {found.id}",
            sections=[_request_section(found, request), *_events_of(found)],
            buttons=_buttons(request, found),
        )


def approve(request: HttpRequest, request_id: int) -> HttpResponse:
    """Ask why, and then let the correction happen."""
    require(request, DECIDE)
    found = _request_or_404(request_id)

    def act(answers: dict[str, Any]) -> str:
        receipt = approve_correction(
            request_id,
            decided_by=person(request),
            reason=answers["reason"],
            needs_two=corrections_need_two(),
        )
        audit.note(request, found, f"Approved: {asked_for(found)}", answers["reason"])
        messages.success(request, f"Approved. Score now: {shown(receipt.best_score)}.")
        return request_url(request_id)

    question = _question(found, "Approve", "It changes the boards within seconds.", "primary")
    return ask(request, question, ReasonForm(sent(request)), act)


def reject(request: HttpRequest, request_id: int) -> HttpResponse:
    """Ask why, and then turn the request down."""
    require(request, DECIDE)
    found = _request_or_404(request_id)

    def act(answers: dict[str, Any]) -> str:
        reject_correction(request_id, decided_by=person(request), reason=answers["reason"])
        audit.note(request, found, f"Rejected: {asked_for(found)}", answers["reason"])
        messages.success(request, "Rejected; nothing was changed.")
        return request_url(request_id)

    question = _question(found, "Reject", "Nothing changes.", "danger")
    return ask(request, question, ReasonForm(sent(request)), act)


def list_url(**asked: object) -> str:
    """Return the address of the waiting requests, or of others."""
    query = f"?{urlencode(asked)}" if asked else ""
    return reverse("admin:scores_correctionrequest_changelist") + query


def form_url(**about: object) -> str:
    """Return the address of the form, filled in with what it is about."""
    query = f"?{urlencode(about)}" if about else ""
    return reverse("admin:scores_correctionrequest_add") + query


def request_url(request_id: int) -> str:
    """Return the address of a request."""
    return reverse("admin:scores_correctionrequest_change", args=[request_id])


def asked_for(found: CorrectionRequest) -> str:
    """Return in words what somebody asked for."""
    what = {
        "set": f"score {found.corrected_score}",
        "remove": "removal",
        "void": f"void of {found.void_event_id}",
    }[found.kind]
    return f"{what}, {found.player_id} in {found.season.slug}"


def requests_table(found: list[CorrectionRequest], next_url: str = "") -> Table:
    """Return requests as a table."""
    return Table(HEADERS, [_row(one) for one in found], next_url, "No requests.")


def _row(found: CorrectionRequest) -> list[str]:
    return cells(
        link_to("scores_correctionrequest_change", found.id, text=found.id),
        found.season.slug,
        player_link(found.season.slug, found.player_id),
        asked_for(found).split(", ")[0],
        found.requested_by.username,
        found.requested_at,
        found.reason,
        badge(*STATES[found.status]),
        found.decided_by and found.decided_by.username,
    )


def _waiting(request: HttpRequest) -> Section:
    after = seeking.number_in(request, "after", 0)
    rows, last = page_of(waiting_requests(after=after, limit=PAGE + 1), PAGE)
    following = list_url(after=last.id) if last else ""
    return Section("Waiting, oldest first", table=requests_table(rows, following))


def _decided(request: HttpRequest) -> Section:
    before = seeking.number_in(request, "before", LARGEST)
    rows, last = page_of(decided_requests(before=before, limit=PAGE + 1), PAGE)
    following = list_url(state="decided", before=last.id) if last else ""
    return Section("Decided, newest first", table=requests_table(rows, following))


def _request_or_404(request_id: int) -> CorrectionRequest:
    found = (
        CorrectionRequest.objects.select_related("season", "requested_by", "decided_by")
        .filter(id=request_id)
        .first()
    )
    if found is None:
        raise Http404
    return found


def _request_section(found: CorrectionRequest, request: HttpRequest) -> Section:
    slug = found.season.slug
    own = found.status == "requested" and _is_own(request, found)
    note = "Another person must decide on what you asked for." if own else ""
    return Section(
        "The request",
        note=note,
        facts=[
            ("State", badge(*STATES[found.status])),
            ("Asked for", asked_for(found)),
            ("Season", link_to("seasons_season_change", found.season_id, text=slug)),
            ("Player", player_link(slug, found.player_id)),
            ("Asked by", found.requested_by.username),
            ("Asked at", shown(found.requested_at)),
            ("Reason", found.reason),
            ("Evidence", outside_link(found.evidence)),
            ("Decided by", shown(found.decided_by and found.decided_by.username)),
            ("Decided at", shown(found.decided_at)),
            ("Reason of the decision", shown(found.decision_reason)),
            ("Became event", event_link(slug, found.event_id)),
        ],
    )


def _events_of(found: CorrectionRequest) -> list[Section]:
    original = found.void_event_id or found.corrects_event_id
    sections = list(_original(found.season.slug, original))
    if found.event_id:
        sections += _events("What it became", found.season.slug, found.event_id)
    return sections


def _original(slug: str | None, event_id: str | None) -> tuple[Section, ...]:
    return tuple(_events("The original event", slug, event_id)) if slug and event_id else ()


def _events(title: str, slug: str, event_id: str) -> list[Section]:
    try:
        events = events_with_id(ledger_namespace_of(slug), event_id, using="default")
    except SeasonNotFound:
        return []
    return [event_section(title, slug, event) for event in events]


def _is_own(request: HttpRequest, found: CorrectionRequest) -> bool:
    return corrections_need_two() and found.requested_by_id == request.user.pk


def _buttons(request: HttpRequest, found: CorrectionRequest) -> list[Button]:
    if found.status != "requested" or not may(request, DECIDE):
        return []
    buttons = [Button("Reject", reverse("admin:scores_correctionrequest_reject", args=[found.id]))]
    if not _is_own(request, found):
        address = reverse("admin:scores_correctionrequest_approve", args=[found.id])
        buttons.insert(0, Button("Approve", address, "primary"))
    return buttons


def _question(found: CorrectionRequest, word: str, meaning: str, variant: str) -> Question:
    return Question(
        f"{word} request {found.id}: {asked_for(found)}",
        meaning,
        word,
        request_url(found.id),
        variant=variant,
        sections=tuple(_events_of(found)),
    )
