"""Make a series, and the windows that it begins with."""

from django.db import IntegrityError

from config import db
from config.errors import Fault, SeriesExists, ValidationFailed
from leaderboard.operations.make_windows import make_windows
from seasons.models import Series
from seasons.rules import SeriesRules, series_faults
from seasons.steps import insert_series


def create_series(wanted: SeriesRules) -> Series:
    """
    Make a series and the seasons of its first windows: operations in turn.

    Whatever windows a maker that was killed left unmade, the next one makes. Raises
    ValidationFailed with each fault at its member, and SeriesExists for a slug in use.
    """
    require_possible(wanted)
    series = _create(wanted)
    for rule in series.window_rules.all():
        make_windows(rule.id)
    return series


def require_possible(wanted: SeriesRules) -> None:
    """Raise ValidationFailed with each fault at its member, or SeriesExists."""
    faults = series_faults(wanted)
    if faults:
        raise ValidationFailed([Fault(f"/{member}", "invalid", why) for member, why in faults])
    if Series.objects.filter(slug=wanted.slug).exists():
        raise SeriesExists


def _create(wanted: SeriesRules) -> Series:
    try:
        with db.transact:
            return insert_series(wanted)
    except IntegrityError as failure:
        raise SeriesExists from failure
