"""The ledger in the admin: newest events first, or those with an id; and held results."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from config.admin import seeking
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Button, FormOnPage, Section, page, page_of, require
from config.errors import SeasonNotFound
from scores.admin import held
from scores.admin.events import event_section, events_table, ledger_url
from scores.models import Ledger
from scores.queries.ledger_events import LARGEST, Place, events_with_id, newest_events
from seasons.queries import ledger_namespace_of

PAGE = 50


class LedgerForm(seeking.SeasonForm):
    """Asks for a season's events, all of them or those with an id."""

    event = seeking.identifier("Event", required=False, help_text="Its id, exactly; or nothing.")


@admin.register(Ledger)
class LedgerAdmin(LookOnlyAdmin):
    """Reads the ledger in the order of its indexes; a row has no page of its own."""

    def get_urls(self) -> list[URLPattern]:
        """Return the list's address, and those of the held results."""
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(self.changelist_view), name="scores_ledger_changelist"),
            path("held/", wrap(held.held_list), name="scores_ledger_held"),
            path(
                "held/<slug:slug>/<str:event_id>/<str:how>/",
                wrap(held.decide_held),
                name="scores_ledger_decide",
            ),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show a season's events."""
        require(request, "scores.view_ledger")
        form = seeking.sought(request, LedgerForm)
        sections: list[Section] = []
        if form.is_valid():
            try:
                sections = _found(request, **form.cleaned_data)
            except SeasonNotFound as refusal:
                form.add_error("season", refusal.detail)
        return page(
            request,
            "Ledger",
            sections=sections,
            buttons=_buttons(form.cleaned_data.get("season") if form.is_valid() else None),
            form=FormOnPage(form, "Show", method="get"),
        )


def _buttons(slug: str | None) -> list[Button]:
    return [Button("Newest events", ledger_url(slug))] if slug else []


def _found(request: HttpRequest, season: str, event: str) -> list[Section]:
    namespace = ledger_namespace_of(season)
    if event:
        events = events_with_id(namespace, event)
        found = [event_section(f"Event {row.event_id}", season, row) for row in events]
        return found or [Section("", note=f"The season has no event with the id {event}.")]
    before = Place(
        seeking.number_in(request, "epoch", LARGEST), seeking.number_in(request, "id", LARGEST)
    )
    rows, last = page_of(newest_events(namespace, before=before, limit=PAGE + 1), PAGE)
    following = ledger_url(season, epoch=last.epoch, id=last.id) if last else ""
    return [Section("Newest events first", table=events_table(season, rows, following))]
