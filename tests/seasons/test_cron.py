"""When cron expressions come due, against looking at the clocks minute by minute."""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons.rules.clocks import shown
from seasons.rules.cron import is_cron, last_start, next_start
from tests.seasons.zones import ODD, next_change

MINUTE = timedelta(minutes=1)
BERLIN = ZoneInfo("Europe/Berlin")

expressions = st.builds(
    "{} {} {} * {}".format,
    st.sampled_from(["0", "30", "59", "5,35", "0-20/10", "*", "*/15"]),
    st.sampled_from(["0", "1", "2", "3", "23", "0,12", "2-4", "*", "*/2"]),
    st.sampled_from(["*", "*", "1", "*/2", "L"]),
    st.sampled_from(["*", "*", "0", "1-5", "0L"]),
)
changes = st.builds(
    lambda name, year: (name, next_change(ZoneInfo(name), datetime(year, 1, 1, tzinfo=UTC))),
    st.sampled_from(ODD),
    st.integers(1990, 2035),
)


def minute_by_minute(cron: str, zone: ZoneInfo, begin: datetime, end: datetime) -> list[datetime]:
    """Return when an expression comes due, as somebody sees who looks at the clocks."""
    days = CronSim(cron, datetime(2000, 1, 1))  # noqa: DTZ001 - clocks without a zone
    stars = [field.startswith("*") for field in cron.split()[:2]]
    found, last = [], shown(begin, zone)
    seen = {last - number * MINUTE for number in range(180)}
    for number in range(1, (end - begin) // MINUTE):
        moment = begin + number * MINUTE
        now = shown(moment, zone)
        new = [now] if any(stars) else skipped(last, now)
        if any(matches(days, wall) and (any(stars) or wall not in seen) for wall in new):
            found.append(moment)
        seen.update(new)
        last = now
    return found


def skipped(last: datetime, now: datetime) -> list[datetime]:
    """Return the minutes that clocks went over, the one that they show with them."""
    return [last + number * MINUTE for number in range(1, (now - last) // MINUTE + 1)] or [now]


def matches(days: CronSim, wall: datetime) -> bool:
    due = wall.minute in days.minutes and wall.hour in days.hours and wall.month in days.months
    return due and days.match_day(wall.date())


@given(changes, expressions, st.integers(0, 40))
@settings(max_examples=60, deadline=None)
def test_it_comes_due_as_the_clocks_say_where_they_are_changed(
    change: tuple[str, datetime], cron: str, hours: int
) -> None:
    zone, begin = ZoneInfo(change[0]), change[1] - timedelta(hours=hours)
    end = begin + timedelta(hours=44)
    found, at = [], begin
    while (following := next_start(cron, zone, at)) is not None and following < end:
        found.append(at := following)
    assert found == minute_by_minute(cron, zone, begin, end)
    for one, following in islice(pairwise(found), 3):
        assert last_start(cron, zone, following) == following
        assert last_start(cron, zone, following - timedelta(microseconds=1)) == one


@pytest.mark.parametrize(
    ("cron", "after", "due"),
    [
        # The clocks jump from 2:00 to 3:00.
        ("30 2 * * *", "2026-03-28T12:00+01:00", "2026-03-29T03:00+02:00"),
        ("30 2 * * *", "2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00"),
        ("*/30 * * * *", "2026-03-29T01:30+01:00", "2026-03-29T03:00+02:00"),
        # They show 2:00 to 3:00 twice.
        ("30 2 * * *", "2026-10-25T00:00+02:00", "2026-10-25T02:30+02:00"),
        ("30 2 * * *", "2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00"),
        ("30 2 * * *", "2026-10-25T02:10+01:00", "2026-10-26T02:30+01:00"),
        ("*/30 * * * *", "2026-10-25T02:30+02:00", "2026-10-25T02:00+01:00"),
        # Days of the calendar.
        ("0 0 29 2 *", "2026-11-30T00:00+01:00", "2028-02-29T00:00+01:00"),
        ("0 0 L * *", "2027-02-01T00:00+01:00", "2027-02-28T00:00+01:00"),
        ("0 18 * * FRI", "2026-11-30T00:00+01:00", "2026-12-04T18:00+01:00"),
    ],
)
def test_when_it_comes_due_after(cron: str, after: str, due: str) -> None:
    found = next_start(cron, BERLIN, datetime.fromisoformat(after).astimezone(UTC))
    assert found == datetime.fromisoformat(due)


def test_where_clocks_are_put_back_over_midnight_it_does_not_go_round_in_a_circle() -> None:
    zone = ZoneInfo("America/St_Johns")
    found = next_start("0 */2 1 * 0", zone, datetime(2006, 10, 28, 2, tzinfo=UTC))
    assert found == datetime(2006, 10, 29, 2, 30, tzinfo=UTC)


def test_what_comes_due_seldom_is_found_and_what_never_comes_is_not() -> None:
    at = datetime(2026, 11, 30, tzinfo=UTC)
    assert last_start("0 0 29 2 *", BERLIN, at) == datetime(2024, 2, 28, 23, tzinfo=UTC)
    assert next_start("0 0 * 2 MON#5", BERLIN, at) == datetime(2044, 2, 28, 23, tzinfo=UTC)
    assert last_start("0 0 * 2 MON#5", BERLIN, datetime(2026, 1, 1, tzinfo=UTC)) == datetime(
        2016, 2, 28, 23, tzinfo=UTC
    )


@pytest.mark.parametrize(
    "cron", ["* * * * *", "0 18 * * FRI", "0 0 29 2 *", "0,30 9-17 * 1 MON#1"]
)
def test_a_cron_expression_has_five_fields(cron: str) -> None:
    assert is_cron(cron)


@pytest.mark.parametrize(
    "cron",
    ["", "* * * *", "* * * * * *", "60 * * * *", "0 24 * * *", "0 0 30 2 *", "0 0 0 * *",
     "a b c d e", "@daily", "0 0 * * 9", "-1 * * * *", "*/0 * * * *", "٣ * * * *", "* * * * ²L"],
)  # fmt: skip
def test_what_is_no_cron_expression_is_told_apart(cron: str) -> None:
    assert not is_cron(cron)
