"""Jobs in the admin: what was asked of the worker, and what became of it."""

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse

from config.admin.cells import badge, shown
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Section, page, require
from leaderboard.models import Job

RELOAD_SECONDS = 2


@admin.register(Job)
class JobAdmin(LookOnlyAdmin):
    """Shows each job; the page of one that is not done comes again by itself."""

    list_display = [
        "id", "kind", "about", "state", "requested_by", "requested_at", "finished_at", "outcome",
    ]  # fmt: skip
    list_select_related = ["requested_by"]

    @admin.display(description="about")
    def about(self, job: Job) -> str:
        """Return the season that it is about."""
        return str(job.arguments.get("slug", ""))

    @admin.display(description="state")
    def state(self, job: Job) -> str:
        """Return how far it is."""
        return state_of(job)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one job."""
        require(request, "leaderboard.view_job")
        found = Job.objects.select_related("requested_by").filter(id=_number(object_id)).first()
        if found is None:
            raise Http404
        return page(
            request,
            f"Job {found.id}",
            sections=[_section(found), *_arguments(found)],
            reload_seconds=RELOAD_SECONDS if found.finished_at is None else None,
        )


def state_of(job: Job) -> str:
    """Return how far a job is, as a word on a colour."""
    if job.finished_at is not None:
        return badge("done", "success") if job.succeeded else badge("failed", "danger")
    return badge("waits", "warning") if job.started_at is None else badge("runs", "info")


def _number(object_id: str) -> int:
    if not object_id.isdecimal() or len(object_id) > 18:
        raise Http404
    return int(object_id)


def _section(job: Job) -> Section:
    return Section(
        "",
        facts=[
            ("Kind", job.kind),
            ("State", state_of(job)),
            ("Outcome", shown(job.outcome)),
            ("Asked by", job.requested_by.username),
            ("Asked at", shown(job.requested_at)),
            ("Begun", shown(job.started_at)),
            ("Done", shown(job.finished_at)),
        ],
    )


def _arguments(job: Job) -> list[Section]:
    facts = [(name, shown(_text(value))) for name, value in job.arguments.items()]
    return [Section("With", facts=facts)] if facts else []


def _text(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value
