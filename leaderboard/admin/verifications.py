"""Verifications in the admin, with a report that people can read."""

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from config.admin.cells import badge, cells, shown
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Button, Section, Table, page, require
from leaderboard.models import Verification


@admin.register(Verification)
class VerificationAdmin(LookOnlyAdmin):
    """Shows what was recomputed from the ledger, and what differed."""

    list_display = ["id", "season", "version", "scope", "state", "started_at", "finished_at"]
    list_select_related = ["season"]
    search_fields = ["season__slug__exact"]
    search_help_text = "The id of a season, exactly."

    @admin.display(description="state")
    def state(self, verification: Verification) -> str:
        """Return what was found."""
        return state_of(verification.agrees)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one report."""
        require(request, "leaderboard.view_verification")
        number = int(object_id) if object_id.isdecimal() and len(object_id) < 19 else 0
        found = Verification.objects.select_related("season").filter(id=number).first()
        if found is None:
            raise Http404
        season = reverse("admin:seasons_season_change", args=[found.season_id])
        return page(
            request,
            f"Verification {found.id}: {found.season.slug}, version {found.version}",
            buttons=[Button("Season", season)],
            sections=[_section(found), *_report(found.report)],
        )


def state_of(agrees: bool | None) -> str:  # noqa: FBT001 - it is what is shown
    """Return what a verification found, as a word on a colour."""
    if agrees is None:
        return badge("not finished", "warning")
    return badge("agrees", "success") if agrees else badge("differs", "danger")


def _section(verification: Verification) -> Section:
    report = verification.report
    return Section(
        "",
        facts=[
            ("State", state_of(verification.agrees)),
            ("Scope", verification.scope),
            ("Begun", shown(verification.started_at)),
            ("Finished", shown(verification.finished_at)),
            *((name, shown(_text(value))) for name, value in report.get("totals", {}).items()),
            *([("Failure", shown(report["failure"]))] if "failure" in report else []),
        ],
    )


def _report(report: dict[str, Any]) -> list[Section]:
    checks = report.get("checks", [])
    rows = [cells(check["kind"], check["compared"], check["differing"]) for check in checks]
    sections = [Section("Checks", table=Table(("Check", "Compared", "Differing"), rows))]
    for check in checks:
        if check["first"]:
            first = [cells(*(one[key] for key in ("place", "expected", "found")))
                     for one in check["first"]]  # fmt: skip
            table = Table(("Where", "By the ledger", "Stored"), first)
            sections.append(Section(f"First differences: {check['kind']}", table=table))
    return sections if checks else []


def _text(value: object) -> object:
    return str(value) if isinstance(value, list | dict) else value
