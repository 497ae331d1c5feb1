"""
The calendar of a series: when its windows begin and end, in a named time zone.

Windows of one calendar never overlap. Those of a day, a week and a month touch: one ends at the
very instant at which the next begins.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from seasons.rules.clocks import first_instant, shown
from seasons.rules.cron import last_start, next_start

Kind = Literal["daily", "weekly", "monthly", "all_time", "cron"]

ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)
FOR_EVER = datetime(9999, 1, 1, tzinfo=UTC)

_DAY = timedelta(days=1)
_INSTANT = timedelta(microseconds=1)


class Span(NamedTuple):
    """From when to when a window lasts; the end is exclusive."""

    starts_at: datetime
    ends_at: datetime


class Calendar(NamedTuple):
    """Which windows a series has by one of its rules."""

    kind: Kind
    zone: ZoneInfo
    cron: str = ""
    lasts: timedelta | None = None


class _Period(NamedTuple):
    """A part of the calendar: the first day of the one that a day is in, and of the next one."""

    first: Callable[[date], date]
    following: Callable[[date], date]
    half: timedelta


_PERIODS = {
    "daily": _Period(lambda day: day, lambda day: day + _DAY, _DAY / 2),
    "weekly": _Period(
        lambda day: day - day.weekday() * _DAY, lambda day: day + 7 * _DAY, _DAY * 3.5
    ),
    "monthly": _Period(
        lambda day: day.replace(day=1),
        lambda day: (day.replace(day=1) + 31 * _DAY).replace(day=1),
        _DAY * 14,
    ),
}


def span_at(calendar: Calendar, at: datetime) -> Span | None:
    """Return the window that an instant lies in; None between two windows of a cron rule."""
    if calendar.kind == "all_time":
        return Span(ALWAYS, FOR_EVER) if ALWAYS <= at < FOR_EVER else None
    if calendar.kind != "cron":
        return next(span for span in _periods(calendar, at) if at < span.ends_at)
    start = last_start(calendar.cron, calendar.zone, at)
    span = None if start is None else _cron_span(calendar, start)
    return span if span is not None and at < span.ends_at else None


def spans_from(calendar: Calendar, at: datetime) -> Iterator[Span]:
    """Yield the windows from an instant on; one that it lies in is cut to begin there."""
    present = span_at(calendar, at)
    if present is not None:
        yield Span(at, present.ends_at)
        at = present.ends_at
    yield from spans_after(calendar, at)


def spans_after(calendar: Calendar, end: datetime) -> Iterator[Span]:
    """
    Yield the windows after one that ended at an instant.

    The next one begins just there even if the zone's offset has been changed by law since the
    end was reckoned: then it ends by the new offset, a little sooner or later.
    """
    if calendar.kind == "cron":
        yield from _cron_spans(calendar, end)
    elif calendar.kind != "all_time":
        yield from _touching_spans(calendar, end)


def label_of(calendar: Calendar, span: Span) -> str:
    """
    Return what tells a window from the others of its rule: a day, a week, a month, or a time.

    Two windows have one label only if the clocks show the time of their start twice.
    """
    middle = shown(span.starts_at + (span.ends_at - span.starts_at) / 2, calendar.zone)
    start = shown(span.starts_at, calendar.zone)
    year, week, _ = middle.isocalendar()
    return {
        "daily": f"{middle:%Y-%m-%d}",
        "weekly": f"{year}-w{week:02}",
        "monthly": f"{middle:%Y-%m}",
        "all_time": "",
        "cron": f"{start:%Y-%m-%d-%H%M}",
    }[calendar.kind]


def _touching_spans(calendar: Calendar, end: datetime) -> Iterator[Span]:
    half = _PERIODS[calendar.kind].half
    while True:
        present = span_at(calendar, end + half)
        assert present is not None
        yield Span(end, present.ends_at)
        end = present.ends_at


def _periods(calendar: Calendar, at: datetime) -> Iterator[Span]:
    """Yield the days, weeks or months from one that is over at an instant, or may be."""
    spans = (Span(*edges) for edges in pairwise(_edges(calendar, at)))
    # Where clocks jump over a whole day, that day has no instant.
    return (span for span in spans if span.starts_at < span.ends_at)


def _edges(calendar: Calendar, at: datetime) -> Iterator[datetime]:
    period = _PERIODS[calendar.kind]
    # Where clocks are put back over midnight, a day begins before they show its eve again.
    day = period.first(shown(at, calendar.zone).date() - _DAY)
    while True:
        yield first_instant(datetime.combine(day, time()), calendar.zone)
        day = period.following(day)


def _cron_spans(calendar: Calendar, end: datetime) -> Iterator[Span]:
    start = next_start(calendar.cron, calendar.zone, end - _INSTANT)
    while start is not None:
        yield (span := _cron_span(calendar, start))
        start = next_start(calendar.cron, calendar.zone, span.ends_at - _INSTANT)


def _cron_span(calendar: Calendar, start: datetime) -> Span:
    ends = [next_start(calendar.cron, calendar.zone, start) or FOR_EVER]
    if calendar.lasts is not None:
        ends.append(start + calendar.lasts)
    return Span(start, min(ends))
