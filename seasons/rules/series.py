"""The rules of a series: what it may be, which windows are due, and what they are called."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple, get_args
from zoneinfo import available_timezones

from seasons.rules.calendar import (
    ALWAYS,
    FOR_EVER,
    Calendar,
    Kind,
    Span,
    label_of,
    span_at,
    spans_after,
    spans_from,
)
from seasons.rules.cron import is_cron
from seasons.rules.season import SLUG, SeasonRules, faults_by_member

KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_WINDOWS = 20
# Room in a season's id for the label of a window, and a number beside it.
LONGEST_STEM = 63 - len("-2026-11-30-1800-2")
LONGEST_NAME = 120
LONGEST_CRON = 100
SHORTEST_SECONDS, LONGEST_SECONDS = 60, 3660 * 24 * 3600
MOST_DAYS_KEPT = 36_600


class WindowWanted(NamedTuple):
    """A rule by which a series gets windows; `suffix` tells its seasons from the others."""

    suffix: str
    kind: Kind
    cron: str = ""
    duration_seconds: int | None = None


class SeriesRules(NamedTuple):
    """What `create_series` was asked for: windows, and the rules of the seasons in them."""

    slug: str
    name: str
    time_zone: str
    windows: tuple[WindowWanted, ...]
    starts_at: datetime | None = None
    grace_seconds: int = 60
    late_policy: str = "reject"
    score_min: int = 0
    score_max: int = 1_000_000
    tie_rule: str = "shared"
    order: str = "desc"
    keep: str = "best"
    regions: tuple[str, ...] = ()
    kept_days: int | None = None

    def of_season(self, slug: str, name: str, span: Span) -> SeasonRules:
        """Return the rules of a season of this series."""
        shared = {name: getattr(self, name) for name in _SHARED}
        return SeasonRules(slug, name, span.starts_at, span.ends_at, **shared)


class PlannedWindow(NamedTuple):
    """A window that a season is made for, and the rule that it is by."""

    rule_id: int
    span: Span


_SHARED = (
    "grace_seconds", "late_policy", "score_min", "score_max", "tie_rule", "order", "keep",
    "regions",
)  # fmt: skip


def series_faults(rules: SeriesRules) -> list[tuple[str, str]]:
    """Return what is wrong with the rules: the member that it is about, and a sentence."""
    season = rules.of_season("season", "Season", Span(ALWAYS, FOR_EVER))
    return [
        *((member, sentence) for wrong, member, sentence in _checks(rules) if wrong),
        *(fault for window in rules.windows for fault in _window_faults(rules, window)),
        *faults_by_member(season, in_series=True),
    ]


def due_spans(
    calendar: Calendar,
    *,
    last: Span | None,
    begins_at: datetime | None,
    grace: timedelta,
    now: datetime,
) -> Iterator[Span]:
    """
    Yield the windows to be made now, in order: up to the first that begins later than now.

    `last` is the last one that was made. Those that were missed are among them as long as their
    grace time lasts: to others nothing could be delivered any more. Without an instant to begin
    at, a series begins with the window that it is made in.
    """
    if last is not None and last.starts_at > now:
        return
    open_until = now - grace
    for span in _spans(calendar, last, begins_at or _begin_of(calendar, now), open_until):
        if span.ends_at > open_until:
            yield span
        if span.starts_at > now:
            return


def stem_of(slug: str, suffix: str) -> str:
    """Return what the ids of all seasons in windows of one rule begin with."""
    return f"{slug}-{suffix}"


def season_slugs(stem: str, calendar: Calendar, span: Span) -> Iterator[str]:
    """Yield the ids that a window's season may have, the best first; others may be taken."""
    label = label_of(calendar, span)
    slug = f"{stem}-{label}" if label else stem
    yield slug
    yield from (f"{slug}-{number}" for number in range(2, 10))


def _spans(
    calendar: Calendar, last: Span | None, begins_at: datetime, open_until: datetime
) -> Iterator[Span]:
    begin = begins_at if last is None else last.ends_at
    if begin < open_until:
        return spans_from(calendar, max(begin, _begin_of(calendar, open_until)))
    return spans_from(calendar, begin) if last is None else spans_after(calendar, begin)


def _begin_of(calendar: Calendar, at: datetime) -> datetime:
    """Return the start of the window that an instant lies in, the instant itself if in none."""
    span = span_at(calendar, at)
    return at if span is None else span.starts_at


def _checks(rules: SeriesRules) -> list[tuple[bool, str, str]]:
    suffixes = [window.suffix for window in rules.windows]
    return [
        (not SLUG.fullmatch(rules.slug), "slug", "The slug must match ^[a-z0-9][a-z0-9-]{0,62}$."),
        (
            not 1 <= len(rules.name) <= LONGEST_NAME or "\0" in rules.name,
            "name",
            f"The name must have 1 to {LONGEST_NAME} characters, none of them NUL.",
        ),
        (
            rules.time_zone not in available_timezones(),
            "time_zone",
            "The time zone must be a name such as Europe/Berlin.",
        ),
        (
            not 1 <= len(suffixes) <= MOST_WINDOWS,
            "windows",
            f"A series must have 1 to {MOST_WINDOWS} kinds of windows.",
        ),
        (
            len(set(suffixes)) < len(suffixes),
            "windows",
            "No two kinds of windows may have the same suffix.",
        ),
        (
            rules.starts_at is not None and not ALWAYS <= rules.starts_at < FOR_EVER,
            "starts_at",
            "The start must lie in the years 1970 to 9998.",
        ),
        (
            rules.kept_days is not None and not 0 <= rules.kept_days <= MOST_DAYS_KEPT,
            "kept_days",
            f"Windows must be kept for 0 to {MOST_DAYS_KEPT} days, or for ever.",
        ),
    ]


def _window_faults(rules: SeriesRules, window: WindowWanted) -> Iterator[tuple[str, str]]:
    for wrong, says in _window_checks(stem_of(rules.slug, window.suffix), window):
        if wrong:
            yield "windows", f"The window {window.suffix!r} {says}"


def _window_checks(stem: str, window: WindowWanted) -> list[tuple[bool, str]]:
    lasts, is_by_cron = window.duration_seconds, window.kind == "cron"
    return [
        (not SLUG.fullmatch(window.suffix), f"must match ^{SLUG.pattern}$."),
        (len(stem) > LONGEST_STEM, f"makes ids that begin with more than {LONGEST_STEM} letters."),
        (window.kind not in KINDS, f"must be of one of the kinds {', '.join(KINDS)}."),
        (
            not is_by_cron and (window.cron != "" or lasts is not None),
            "takes neither an expression nor a duration: these are for the kind cron.",
        ),
        (
            is_by_cron and not (len(window.cron) <= LONGEST_CRON and is_cron(window.cron)),
            "needs a cron expression of five fields that comes due.",
        ),
        (
            lasts is not None and not SHORTEST_SECONDS <= lasts <= LONGEST_SECONDS,
            f"must last {SHORTEST_SECONDS} to {LONGEST_SECONDS} seconds.",
        ),
    ]
