"""The audit log: each action of the admin, with who, on what, and why."""

from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.db.models import Model
from django.http import HttpRequest


def note(
    request: HttpRequest, thing: Model, what: str, why: str = "", *, new: bool = False
) -> None:
    """Write down that the person did something to a thing, and the reason that was given."""
    assert request.user.pk is not None
    LogEntry.objects.log_actions(
        request.user.pk,
        [thing],
        ADDITION if new else CHANGE,
        f"{what}: {why}" if why else what,
        single_object=True,
    )
