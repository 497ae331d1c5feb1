"""Forms that seek by exact words: they are sent with GET, and find by an index."""

from typing import Any

from django import forms
from django.http import HttpRequest

from config.admin import fields
from config.http.parameters import IDENTIFIER, SLUG


class SeasonForm(forms.Form):
    """Asks for a season."""

    season = fields.text("Season", longest=63, help_text="Its id, exactly.")

    def clean_season(self) -> str:
        """Refuse what no season can be called."""
        return _matching(SLUG, self.cleaned_data["season"])


def identifier(label: str, **options: Any) -> forms.CharField:
    """Return a field for the id of a player or an event."""
    return fields.text(label, validators=[_validate_identifier], **options)


def sought(request: HttpRequest, form: type[forms.Form]) -> forms.Form:
    """Return the form as it was sent, or empty if nothing was asked yet."""
    asked = any(name in request.GET for name in form.base_fields)
    return form(request.GET if asked else None)


def number_in(request: HttpRequest, name: str, otherwise: int) -> int:
    """Return a number of the address, or another one if there is none that makes sense."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 19 else otherwise


def _validate_identifier(text: str) -> None:
    _matching(IDENTIFIER, text)


def _matching(pattern: Any, text: str) -> str:
    if not pattern.fullmatch(text):
        raise forms.ValidationError(f"It must match ^{pattern.pattern}$.")
    return text
