"""A page of the admin: facts and tables in sections, buttons above, perhaps a form."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import HttpRequest
from django.template.response import TemplateResponse

Row = TypeVar("Row")


class Button(NamedTuple):
    """Leads to another page, mostly one that asks before it acts."""

    label: str
    url: str
    variant: str = "default"


class Table(NamedTuple):
    """Rows of cells; an address of the next page if there is one."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    next_url: str = ""
    empty: str = "Nothing to show."


class Section(NamedTuple):
    """A part of a page."""

    title: str
    facts: Sequence[tuple[str, str]] = ()
    table: Table | None = None
    note: str = ""


class FormOnPage(NamedTuple):
    """A form: how it is sent, and what its button says."""

    form: BaseForm
    button: str
    method: str = "post"
    variant: str = "primary"
    back: str = ""


def page(
    request: HttpRequest,
    title: str,
    *,
    sections: Iterable[Section] = (),
    buttons: Iterable[Button] = (),
    form: FormOnPage | None = None,
    **context: Any,
) -> TemplateResponse:
    """Return the page that shows all this, in the admin's frame."""
    return TemplateResponse(
        request,
        "laurel/page.html",
        {
            **admin.site.each_context(request),
            "title": title,
            "sections": list(sections),
            "buttons": list(buttons),
            "shown_form": form,
            **context,
        },
    )


def require(request: HttpRequest, permission: str) -> None:
    """Raise PermissionDenied unless the person has a permission, such as `scores.view_best`."""
    if not may(request, permission):
        raise PermissionDenied


def may(request: HttpRequest, permission: str) -> bool:
    """Return whether the person has a permission."""
    return bool(request.user.has_perm(permission))


def page_of(rows: list[Row], size: int) -> tuple[list[Row], Row | None]:
    """Return the rows of a page, of which one more was read, and the last if others follow."""
    shown = rows[:size]
    return shown, (shown[-1] if len(rows) > size else None)
