"""The fields of the admin's forms, in its looks."""

from collections.abc import Iterable
from typing import Any

from django import forms
from unfold import widgets


def text(label: str, *, longest: int = 64, **options: Any) -> forms.CharField:
    """Return a field for one line."""
    return forms.CharField(
        label=label, max_length=longest, widget=widgets.UnfoldAdminTextInputWidget(), **options
    )


def long_text(label: str, *, longest: int, **options: Any) -> forms.CharField:
    """Return a field for some lines."""
    widget = widgets.UnfoldAdminTextareaWidget(attrs={"rows": 4})
    return forms.CharField(label=label, max_length=longest, widget=widget, **options)


def number(label: str, **options: Any) -> forms.IntegerField:
    """Return a field for an integer."""
    widget = widgets.UnfoldAdminIntegerFieldWidget()
    return forms.IntegerField(label=label, widget=widget, **options)


def choice(label: str, choices: Iterable[tuple[str, str]], **options: Any) -> forms.ChoiceField:
    """Return a field for one of some words."""
    widget = widgets.UnfoldAdminSelectWidget()
    return forms.ChoiceField(label=label, choices=list(choices), widget=widget, **options)


def choices(label: str, words: Iterable[str], **options: Any) -> forms.MultipleChoiceField:
    """Return a checkbox for each of some words."""
    widget = widgets.UnfoldAdminCheckboxSelectMultipleWidget()
    pairs = [(word, word) for word in words]
    return forms.MultipleChoiceField(label=label, choices=pairs, widget=widget, **options)


def moment(label: str, **options: Any) -> forms.DateTimeField:
    """Return a field for a time in UTC, or with an offset."""
    widget = widgets.UnfoldAdminTextInputWidget(attrs={"placeholder": "2027-01-31T18:00:00Z"})
    return forms.DateTimeField(label=label, widget=widget, **options)
