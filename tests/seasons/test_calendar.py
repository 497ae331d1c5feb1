"""Windows touch, never overlap, and begin when clocks show midnight, whatever clocks do."""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from seasons.rules.clocks import offset_text, shown
from tests.seasons.zones import TOUCHING, places

INSTANT = timedelta(microseconds=1)
HOUR = timedelta(hours=1)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def calendar(kind: Kind, zone: str, cron: str = "", lasts: timedelta | None = None) -> Calendar:
    return Calendar(kind, ZoneInfo(zone), cron, lasts)


def span(wanted: Calendar, text: str) -> Span:
    found = span_at(wanted, at(text))
    assert found is not None
    return found


@given(places(), st.sampled_from(TOUCHING))
def test_every_instant_lies_in_exactly_one_window(
    place: tuple[ZoneInfo, datetime], kind: Kind
) -> None:
    wanted, moment = Calendar(kind, place[0]), place[1]
    found = span_at(wanted, moment)
    assert found is not None
    assert found.starts_at <= moment < found.ends_at
    assert span_at(wanted, found.starts_at) == span_at(wanted, found.ends_at - INSTANT) == found
    assert span_at(wanted, found.ends_at) != found


@given(places(), st.sampled_from(TOUCHING))
def test_a_window_begins_at_the_cutoff_of_the_one_before(
    place: tuple[ZoneInfo, datetime], kind: Kind
) -> None:
    wanted = Calendar(kind, place[0])
    found = list(islice(spans_from(wanted, place[1]), 12))
    assert found[0].starts_at == place[1]
    for one, following in pairwise(found):
        assert one.ends_at == following.starts_at
        assert span_at(wanted, following.starts_at) == following
    labels = [label_of(wanted, one) for one in found]
    assert labels == sorted(set(labels))


@given(places(), st.sampled_from(TOUCHING))
def test_a_window_begins_when_clocks_show_midnight_first_or_jump_over_it(
    place: tuple[ZoneInfo, datetime], kind: Kind
) -> None:
    zone, moment = place
    found = span_at(Calendar(kind, zone), moment)
    assert found is not None
    begin = shown(found.starts_at, zone)
    midnight = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    assert begin == midnight or shown(found.starts_at - INSTANT, zone) < midnight < begin
    days = (shown(found.starts_at - n * HOUR / 2, zone).date() for n in range(1, 7))
    assert all(day < midnight.date() for day in days)


@pytest.mark.parametrize(
    ("zone", "moment", "starts_at", "ends_at", "hours"),
    [
        ("Europe/Berlin", "2026-03-29T12:00+02:00", "2026-03-29T00:00+01:00",
         "2026-03-30T00:00+02:00", 23),
        ("Europe/Berlin", "2026-10-25T12:00+01:00", "2026-10-25T00:00+02:00",
         "2026-10-26T00:00+01:00", 25),
        ("America/Sao_Paulo", "2018-11-04T12:00-02:00", "2018-11-04T01:00-02:00",
         "2018-11-05T00:00-02:00", 23),
        ("America/Sao_Paulo", "2018-02-17T12:00-02:00", "2018-02-17T00:00-02:00",
         "2018-02-18T00:00-03:00", 25),
        ("America/Havana", "2026-11-01T12:00-05:00", "2026-11-01T00:00-04:00",
         "2026-11-02T00:00-05:00", 25),
        ("America/Havana", "2026-03-08T12:00-04:00", "2026-03-08T01:00-04:00",
         "2026-03-09T00:00-04:00", 23),
        ("America/St_Johns", "2006-10-28T23:30-03:30", "2006-10-29T00:00-02:30",
         "2006-10-30T00:00-03:30", 25),
        ("Australia/Lord_Howe", "2026-04-05T12:00+10:30", "2026-04-05T00:00+11:00",
         "2026-04-06T00:00+10:30", 24.5),
        ("Pacific/Apia", "2011-12-29T12:00-10:00", "2011-12-29T00:00-10:00",
         "2011-12-31T00:00+14:00", 24),
        ("UTC", "2028-02-29T12:00+00:00", "2028-02-29T00:00+00:00",
         "2028-03-01T00:00+00:00", 24),
    ],
)  # fmt: skip
def test_a_day_is_as_long_as_its_clocks_say(
    zone: str, moment: str, starts_at: str, ends_at: str, hours: float
) -> None:
    found = span(calendar("daily", zone), moment)
    assert found == (at(starts_at), at(ends_at))
    assert found.ends_at - found.starts_at == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("kind", "moment", "starts_at", "ends_at", "label"),
    [
        ("daily", "2028-02-28T23:59+01:00", "2028-02-28T00:00+01:00", "2028-02-29T00:00+01:00",
         "2028-02-28"),
        ("daily", "2028-02-29T00:00+01:00", "2028-02-29T00:00+01:00", "2028-03-01T00:00+01:00",
         "2028-02-29"),
        ("weekly", "2026-11-30T00:00+01:00", "2026-11-30T00:00+01:00", "2026-12-07T00:00+01:00",
         "2026-w49"),
        ("weekly", "2027-01-03T23:59+01:00", "2026-12-28T00:00+01:00", "2027-01-04T00:00+01:00",
         "2026-w53"),
        ("weekly", "2024-12-30T00:00+01:00", "2024-12-30T00:00+01:00", "2025-01-06T00:00+01:00",
         "2025-w01"),
        ("monthly", "2028-02-29T12:00+01:00", "2028-02-01T00:00+01:00", "2028-03-01T00:00+01:00",
         "2028-02"),
        ("monthly", "2026-10-25T02:30+02:00", "2026-10-01T00:00+02:00", "2026-11-01T00:00+01:00",
         "2026-10"),
        ("monthly", "2026-12-31T23:59+01:00", "2026-12-01T00:00+01:00", "2027-01-01T00:00+01:00",
         "2026-12"),
    ],
)  # fmt: skip
def test_days_weeks_and_months_are_those_of_the_calendar(
    kind: Kind, moment: str, starts_at: str, ends_at: str, label: str
) -> None:
    wanted = calendar(kind, "Europe/Berlin")
    found = span(wanted, moment)
    assert found == (at(starts_at), at(ends_at))
    assert label_of(wanted, found) == label


def test_all_time_is_one_window_that_has_no_other_after_it() -> None:
    wanted = calendar("all_time", "Europe/Berlin")
    assert span(wanted, "2026-11-30T12:00+01:00") == (ALWAYS, FOR_EVER)
    assert list(spans_from(wanted, at("2026-11-30T12:00+01:00"))) == [
        (at("2026-11-30T12:00+01:00"), FOR_EVER)
    ]
    assert label_of(wanted, Span(ALWAYS, FOR_EVER)) == ""


def test_a_zone_whose_offset_is_changed_by_law_leaves_neither_gap_nor_a_short_window() -> None:
    for kind in TOUCHING:
        wanted = calendar(kind, "Europe/Berlin")
        for shift in (-HOUR, HOUR):
            end = span(wanted, "2026-11-30T12:00+01:00").ends_at
            first, second = islice(spans_after(wanted, end + shift), 2)
            assert (first.starts_at, first.ends_at) == (end + shift, second.starts_at)
            assert span_at(wanted, end) == (end, first.ends_at)
            assert label_of(wanted, first) == label_of(wanted, Span(end, first.ends_at))


@pytest.mark.parametrize(
    ("lasts", "ends"),
    [(HOUR, HOUR), (timedelta(days=3), timedelta(days=1)), (None, timedelta(days=1))],
)
def test_a_window_by_cron_ends_by_its_duration_or_as_the_next_begins(
    lasts: timedelta | None, ends: timedelta
) -> None:
    wanted = calendar("cron", "Europe/Berlin", "0 18 * * *", lasts)
    start = at("2026-11-30T18:00+01:00")
    first, second = islice(spans_from(wanted, start - INSTANT if lasts == HOUR else start), 2)
    assert first == (start, start + ends)
    assert second.starts_at == start + timedelta(days=1)
    assert label_of(wanted, first) == "2026-11-30-1800"
    assert span_at(wanted, first.ends_at - INSTANT) == first
    assert span_at(wanted, first.ends_at) == (None if lasts == HOUR else second)


def test_without_a_duration_windows_by_cron_touch_over_changes_of_the_clocks() -> None:
    wanted = calendar("cron", "Europe/Berlin", "0 4 * * *")
    found = list(islice(spans_from(wanted, at("2026-10-23T04:00+02:00")), 5))
    hours = [(one.ends_at - one.starts_at) / HOUR for one in found]
    assert hours == [24, 25, 24, 24, 24]
    assert all(one.ends_at == following.starts_at for one, following in pairwise(found))


@pytest.mark.parametrize(
    ("zone", "moment", "text"),
    [
        ("Europe/Berlin", "2026-11-30T00:00+01:00", "+01:00"),
        ("Europe/Berlin", "2026-07-01T00:00+02:00", "+02:00"),
        ("UTC", "2026-07-01T00:00+00:00", "+00:00"),
        ("Asia/Kathmandu", "2026-07-01T00:00+05:45", "+05:45"),
        ("America/St_Johns", "2026-01-01T00:00-03:30", "-03:30"),
        ("Africa/Monrovia", "1970-06-01T00:00+00:00", "-00:44:30"),
    ],
)
def test_the_offset_is_shown_as_it_is_at_that_instant(zone: str, moment: str, text: str) -> None:
    assert offset_text(at(moment), ZoneInfo(zone)) == text
