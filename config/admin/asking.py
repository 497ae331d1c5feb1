"""Pages that ask before they act, and say clearly when they are refused."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict

from config.admin import fields
from config.admin.pages import FormOnPage, Section, page
from config.errors import Refusal, ValidationFailed

LONGEST_REASON = 500


class ReasonForm(forms.Form):
    """Asks why."""

    reason = fields.long_text(
        "Reason", longest=LONGEST_REASON, help_text="It is kept with your name."
    )


class Question(NamedTuple):
    """What a page asks: what would happen, the words on the button, and where to go back to."""

    title: str
    text: str
    button: str
    back: str
    variant: str = "primary"
    sections: tuple[Section, ...] = ()


def sent(request: HttpRequest) -> QueryDict | None:
    """Return what was filled in; None while the form is only shown."""
    return request.POST if request.method == "POST" else None


Act = Callable[[dict[str, Any]], str | HttpResponse]


def ask(request: HttpRequest, question: Question, form: forms.Form, act: Act) -> HttpResponse:
    """
    Show a form; once it is filled in, act, and go to the address that this returns.

    A refusal stays on the page, at the field that it is about if it is about one.
    """
    if request.method == "POST" and form.is_valid():
        try:
            done = act(form.cleaned_data)
        except Refusal as refusal:
            show_refusal(form, refusal)
        else:
            return done if isinstance(done, HttpResponse) else HttpResponseRedirect(done)
    return page(
        request,
        question.title,
        sections=(*question.sections, Section("", note=question.text)),
        form=FormOnPage(form, question.button, variant=question.variant, back=question.back),
    )


def show_refusal(form: forms.Form, refusal: Refusal) -> None:
    """Say in a form why what it asked for was refused."""
    if not isinstance(refusal, ValidationFailed):
        form.add_error(None, refusal.detail)
        return
    for fault in refusal.faults:
        member = fault.pointer.split("/")[1] if fault.pointer else ""
        form.add_error(member if member in form.fields else None, fault.detail)
