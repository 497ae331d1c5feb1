"""By which rules windows are to be made, and what is known of one."""

from datetime import datetime, timedelta
from typing import NamedTuple, cast
from zoneinfo import ZoneInfo

from django.db.models.functions import Now

from config import db
from seasons.models import Series, Window, WindowRule
from seasons.rules import Calendar, Kind, PlannedWindow, SeriesRules, Span, WindowWanted

WINDOW_RULES_DUE = db.statement(__file__, "window_rules_due")

SHARED = (
    "slug", "name", "time_zone", "starts_at", "grace_seconds", "late_policy", "score_min",
    "score_max", "tie_rule", "order", "keep", "kept_days",
)  # fmt: skip


class KnownRule(NamedTuple):
    """A rule of a series, the last window that was made by it, and the database's time."""

    rule: WindowRule
    last: Span | None
    now: datetime


def window_rules_due() -> list[int]:
    """Return the ids of the rules whose next window is not made yet."""
    return db.fetch_all(int, WINDOW_RULES_DUE)


def known_rule(rule_id: int) -> KnownRule:
    """Return what is known of a rule that is there."""
    rule = WindowRule.objects.annotate(now=Now()).select_related("series").get(id=rule_id)
    newest = Window.objects.filter(rule=rule).order_by("-starts_at").first()
    last = None if newest is None else Span(newest.starts_at, newest.ends_at)
    return KnownRule(rule, last, rule.now)


def has_season(window: PlannedWindow | None) -> bool:
    """Return whether a season is made for a window."""
    if window is None:
        return False
    made = Window.objects.filter(rule_id=window.rule_id, starts_at=window.span.starts_at)
    return made.exists()


def calendar_of(rule: WindowRule) -> Calendar:
    """Return the calendar by which a rule makes windows."""
    seconds = rule.duration_seconds
    lasts = None if seconds is None else timedelta(seconds=seconds)
    return Calendar(cast(Kind, rule.kind), ZoneInfo(rule.series.time_zone), rule.cron, lasts)


def rules_of(series: Series, windows: tuple[WindowWanted, ...] = ()) -> SeriesRules:
    """Return the rules that a series was made with, without its windows unless given."""
    shared = {name: getattr(series, name) for name in SHARED}
    return SeriesRules(**shared, windows=windows, regions=tuple(series.regions))
