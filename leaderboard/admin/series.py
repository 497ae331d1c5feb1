"""Series in the admin: listed, made by the worker, shown with their seasons, and ended."""

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse

from config.admin import audit
from config.admin.asking import Question, ReasonForm, ask, sent
from config.admin.cells import badge, cells, link_to, shown
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Button, Section, Table, may, page, page_of, require
from config.admin.people import person
from leaderboard.admin.seasons import STATES
from leaderboard.admin.series_form import SeriesForm, series_rules_in
from leaderboard.operations.end_series import end_series
from leaderboard.operations.request_job import request_series
from seasons.models import Series, WindowRule
from seasons.queries.series import series_after
from seasons.queries.windows import PastPlace, SeasonInWindow, past_windows, present_windows
from seasons.rules import offset_text

PAGE = 50
LOOK = "seasons.view_series"
MAKE = "seasons.add_series"
END = "seasons.run_season"
HEADERS = ("Series", "Time zone", "Windows", "Late results", "Kept", "Ended")
WINDOWS = ("Window", "Kind", "Expression", "Lasts")
SEASONS = ("Season", "Window", "State", "Starts", "Cutoff", "Offset", "Final version", "Dropped")


@admin.register(Series)
class SeriesAdmin(LookOnlyAdmin):
    """A series' rules stay as they were made; it can be ended."""

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the list, of the form, of a series, and of its end."""
        wrap = self.admin_site.admin_view
        name = "seasons_series"
        return [
            path("", wrap(self.changelist_view), name=f"{name}_changelist"),
            path("add/", wrap(self.add_view), name=f"{name}_add"),
            path("<int:object_id>/change/", wrap(self.change_view), name=f"{name}_change"),
            path("<int:series_id>/end/", wrap(_end_view), name=f"{name}_end"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the series in order of their ids."""
        require(request, LOOK)
        make = Button("Make a series", reverse("admin:seasons_series_add"), "primary")
        found, last = page_of(series_after(request.GET.get("after", ""), limit=PAGE + 1), PAGE)
        table = Table(
            HEADERS,
            [_row(series) for series in found],
            f"?after={last.slug}" if last else "",
            "There are no series.",
        )
        buttons = [make] if may(request, MAKE) else []
        return page(request, "Series", sections=[Section("", table=table)], buttons=buttons)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a series with its seasons."""
        require(request, LOOK)
        series = _series(int(object_id))
        end = Button("End it", reverse("admin:seasons_series_end", args=[series.id]), "danger")
        return page(
            request,
            f"Series {series.slug}",
            sections=_sections(series),
            buttons=[end] if may(request, END) and series.ended_at is None else [],
        )

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for a series' rules; the worker, which may make tables, makes it."""
        require(request, MAKE)

        def act(answers: dict[str, Any]) -> str:
            job = request_series(series_rules_in(answers), requested_by=person(request))
            audit.note(request, job, f"Asked for the series {answers['slug']}", new=True)
            messages.success(request, "The worker makes the series: this page tells the outcome.")
            return reverse("admin:leaderboard_job_change", args=[job.id])

        question = Question(
            "Make a series",
            "Its present windows and the next ones are made at once, the others in time. "
            "A series' rules cannot be changed once it is made.",
            "Make it",
            reverse("admin:seasons_series_changelist"),
        )
        return ask(request, question, SeriesForm(sent(request)), act)


def _end_view(request: HttpRequest, series_id: int) -> HttpResponse:
    """Ask why, and then end the series."""
    require(request, END)
    series = _series(series_id)
    back = reverse("admin:seasons_series_change", args=[series.id])

    def act(answers: dict[str, Any]) -> str:
        end_series(series.slug, actor=person(request).username, reason=answers["reason"])
        audit.note(request, series, "End it", answers["reason"])
        messages.success(request, "The series has ended: no window begins any more.")
        return back

    question = Question(
        f"End it: {series.slug}",
        "What is open runs to its cutoff, a season for all time closes now, and those that were "
        "made ahead are dropped. It cannot be taken back.",
        "End it",
        back,
        variant="danger",
    )
    return ask(request, question, ReasonForm(sent(request)), act)


def _series(series_id: int) -> Series:
    found = Series.objects.filter(id=series_id).prefetch_related("window_rules").first()
    if found is None:
        raise Http404
    return found


def _row(series: Series) -> list[str]:
    return cells(
        link_to("seasons_series_change", series.id, text=series.slug),
        series.time_zone,
        ", ".join(rule.suffix for rule in series.window_rules.all()),
        series.late_policy,
        _kept(series),
        series.ended_at,
    )


def _kept(series: Series) -> str:
    return "for ever" if series.kept_days is None else f"{series.kept_days} days"


def _sections(series: Series) -> list[Section]:
    present, past = present_windows(series.id), past_windows(series.id, PastPlace(), limit=PAGE)
    return [
        _rules(series),
        _table("Windows", WINDOWS, [_window(rule) for rule in series.window_rules.all()]),
        _table("Seasons now and next", SEASONS, [_season(series, one) for one in present]),
        _table("Newest seasons that are over", SEASONS, [_season(series, one) for one in past]),
    ]


def _table(title: str, headers: tuple[str, ...], rows: list[list[str]]) -> Section:
    return Section(title, table=Table(headers, rows, empty="None yet."))


def _rules(series: Series) -> Section:
    return Section(
        "Rules",
        facts=[
            ("Id", series.slug),
            ("Name", series.name),
            ("Time zone", series.time_zone),
            ("Starts", shown(series.starts_at)),
            ("Ended", shown(series.ended_at)),
            ("Kept", _kept(series)),
            ("Grace time", f"{series.grace_seconds} s"),
            ("Late results", series.late_policy),
            ("Scores", f"{series.score_min} to {series.score_max}"),
            ("Ties", series.tie_rule),
            ("Order", series.order),
            ("Kept scores", series.keep),
            ("Regions", ", ".join(series.regions) or shown(None)),
        ],
    )


def _window(rule: WindowRule) -> list[str]:
    lasts = None if rule.duration_seconds is None else f"{rule.duration_seconds} s"
    return cells(rule.suffix, rule.kind, rule.cron, lasts)


def _season(series: Series, one: SeasonInWindow) -> list[str]:
    return cells(
        link_to("seasons_season_change", one.season_id, text=one.slug),
        one.suffix,
        badge(one.status, STATES[one.status]),
        one.starts_at,
        one.cutoff_at,
        offset_text(one.starts_at, ZoneInfo(series.time_zone)),
        one.final_version,
        one.retired_at,
    )
