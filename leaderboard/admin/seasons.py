"""Seasons in the admin: all of them with their state, and each with its rules and history."""

from datetime import UTC, datetime
from typing import Any

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse

from config.admin import audit, seeking
from config.admin.asking import Question, ask, sent
from config.admin.cells import badge, cells, link, link_to
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Button, FormOnPage, Section, Table, may, page, page_of, require
from config.admin.people import person
from config.errors import SeasonNotFound
from leaderboard.admin import season_acts
from leaderboard.admin.moved import moved_page
from leaderboard.admin.season_form import SeasonForm, first_answers, rules_in
from leaderboard.admin.season_page import retired_section, sections_of
from leaderboard.admin.verifications import state_of
from leaderboard.models import Retirement
from leaderboard.operations.request_job import request_season
from leaderboard.queries.published import Published
from leaderboard.queries.published_seasons import published_seasons
from leaderboard.queries.season_history import LatestVerification, latest_verifications
from scores.admin.events import ledger_url
from scores.admin.held import held_url
from seasons.models import Season
from seasons.queries import season_id_of, slug_of

PAGE = 50
HEADERS = ("Season", "State", "Starts", "Cutoff", "Version", "Lag", "Last verification", "Stop")
LOOK = "seasons.view_season"
MAKE = "seasons.add_season"
STATES = {"scheduled": "info", "open": "success", "closing": "warning", "final": "plain"}


@admin.register(Season)
class SeasonAdmin(LookOnlyAdmin):
    """A season's rules stay as they were made; what happens to it is asked for and recorded."""

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the list, of the form, of a season, and of each act."""
        wrap = self.admin_site.admin_view
        name = "seasons_season"
        return [
            path("", wrap(self.changelist_view), name=f"{name}_changelist"),
            path("add/", wrap(self.add_view), name=f"{name}_add"),
            path("<int:object_id>/change/", wrap(self.change_view), name=f"{name}_change"),
            path("<int:season_id>/moved/<int:version>/", wrap(moved_page), name=f"{name}_moved"),
            path(
                "<int:season_id>/<str:act>/", wrap(season_acts.act_on_season), name=f"{name}_act"
            ),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the seasons in order of their ids, or go to the one that was asked for."""
        require(request, LOOK)
        form = seeking.sought(request, seeking.SeasonForm)
        if form.is_valid():
            try:
                return HttpResponseRedirect(season_url(season_id_of(form.cleaned_data["season"])))
            except SeasonNotFound as refusal:
                form.add_error("season", refusal.detail)
        make = Button("Make a season", reverse("admin:seasons_season_add"), "primary")
        return page(
            request,
            "Seasons",
            sections=[_list(request.GET.get("after", ""))],
            buttons=[make] if may(request, MAKE) else [],
            form=FormOnPage(form, "Go to it", method="get"),
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a season."""
        require(request, LOOK)
        season_id = int(object_id)
        if not Season.objects.filter(id=season_id).exists():
            raise Http404
        slug = slug_of(season_id)
        retirement = Retirement.objects.filter(season_id=season_id).first()
        if retirement is not None:
            return page(request, f"Season {slug}", sections=[retired_section(retirement)])
        buttons = [
            *season_acts.buttons(request, season_id),
            Button("Players", reverse("admin:scores_best_changelist") + f"?season={slug}"),
            Button("Ledger", ledger_url(slug)),
            Button("Held results", held_url(slug)),
        ]
        return page(request, f"Season {slug}", sections=sections_of(slug), buttons=buttons)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for a season's rules; the worker, which may make tables, makes it."""
        require(request, MAKE)

        def act(answers: dict[str, Any]) -> str:
            job = request_season(rules_in(answers), requested_by=person(request))
            audit.note(request, job, f"Asked for the season {answers['slug']}", new=True)
            messages.success(request, "The worker makes the season: this page tells the outcome.")
            return reverse("admin:leaderboard_job_change", args=[job.id])

        question = Question(
            "Make a season",
            "A season's rules cannot be changed once it is made.",
            "Make it",
            reverse("admin:seasons_season_changelist"),
        )
        form = SeasonForm(sent(request), initial=first_answers(datetime.now(UTC)))
        return ask(request, question, form, act)


def season_url(season_id: int) -> str:
    """Return the address of a season's page."""
    return reverse("admin:seasons_season_change", args=[season_id])


def _list(after: str) -> Section:
    seasons, last = page_of(published_seasons(after, limit=PAGE + 1), PAGE)
    verified = latest_verifications([season.season_id for season in seasons])
    rows = [_row(season, verified.get(season.season_id)) for season in seasons]
    table = Table(HEADERS, rows, f"?after={last.slug}" if last else "", "There are no seasons.")
    return Section("", table=table)


def _row(season: Published, verified: LatestVerification | None) -> list[str]:
    return cells(
        link(season_url(season.season_id), season.slug),
        badge(season.status, STATES[season.status]),
        season.starts_at,
        season.cutoff_at,
        season.number,
        lag_of(season),
        _verified(verified),
        badge(season.failed_check, "danger") if season.failed_check else None,
    )


def lag_of(season: Published) -> str | None:
    """Return how old the current version is; a final one never is too old."""
    if season.as_of is None or season.final_version is not None:
        return None
    return badge(f"{season.age.total_seconds():.1f} s", "warning" if season.stale else "success")


def _verified(found: LatestVerification | None) -> str | None:
    if found is None:
        return None
    return link_to("leaderboard_verification_change", found.id, text=state_of(found.agrees))
