"""Which windows of a series are due, what they are called, and what a series may be."""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seasons.rules.calendar import ALWAYS, FOR_EVER, Calendar, Kind, Span, span_at
from seasons.rules.series import (
    SeriesRules,
    WindowWanted,
    due_spans,
    season_slugs,
    series_faults,
)
from tests.seasons.zones import TOUCHING, places

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 30, 11, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TODAY = Span(datetime(2026, 11, 29, 23, tzinfo=UTC), datetime(2026, 11, 30, 23, tzinfo=UTC))
DAILY = Calendar("daily", BERLIN)


def moved(span: Span, days: int) -> Span:
    return Span(span.starts_at + days * DAY, span.ends_at + days * DAY)


def due(calendar: Calendar = DAILY, **facts: Any) -> list[Span]:
    known = {"last": None, "begins_at": None, "grace": timedelta(minutes=1), "now": NOW}
    return list(due_spans(calendar, **{**known, **facts}))


def test_a_series_begins_with_the_window_that_it_is_made_in_and_the_next() -> None:
    assert due() == [TODAY, moved(TODAY, 1)]


def test_when_the_next_one_is_made_nothing_is_due() -> None:
    assert due(last=TODAY) == [moved(TODAY, 1)]
    assert due(last=moved(TODAY, 1)) == []


def test_a_series_that_begins_later_has_its_first_window_cut() -> None:
    begins_at = NOW + 2 * DAY
    assert due(begins_at=begins_at) == [Span(begins_at, TODAY.ends_at + 2 * DAY)]
    assert due(begins_at=begins_at, now=begins_at) == [
        Span(begins_at, TODAY.ends_at + 2 * DAY), moved(TODAY, 3),
    ]  # fmt: skip


def test_what_was_missed_is_due_while_its_grace_time_lasts() -> None:
    last = moved(TODAY, -5)
    assert due(last=last, grace=40 * HOUR) == [moved(TODAY, n) for n in (-2, -1, 0, 1)]
    assert due(last=last, grace=timedelta(0)) == [TODAY, moved(TODAY, 1)]
    assert due(last=last, grace=30 * DAY) == [moved(TODAY, n) for n in range(-4, 2)]
    assert due(begins_at=last.ends_at, grace=40 * HOUR) == due(last=last, grace=40 * HOUR)


def test_of_a_window_that_ended_just_so_long_ago_as_the_grace_time_nothing_is_due() -> None:
    last, now = moved(TODAY, -1), TODAY.ends_at + HOUR
    assert due(last=last, grace=HOUR, now=now)[0] == moved(TODAY, 1)
    soon = now - timedelta(microseconds=1)
    assert due(last=last, grace=HOUR, now=soon)[0] == TODAY


def test_all_time_is_due_once() -> None:
    calendar = Calendar("all_time", BERLIN)
    assert due(calendar) == [Span(ALWAYS, FOR_EVER)]
    assert due(calendar, begins_at=NOW) == [Span(NOW, FOR_EVER)]
    assert due(calendar, last=Span(ALWAYS, FOR_EVER)) == []


def test_between_two_windows_by_cron_only_the_next_is_due() -> None:
    calendar = Calendar("cron", BERLIN, "0 18 * * *", HOUR)
    evening = datetime(2026, 11, 30, 17, tzinfo=UTC)
    assert due(calendar) == [Span(evening, evening + HOUR)]
    assert due(calendar, now=evening) == [
        Span(evening, evening + HOUR), Span(evening + DAY, evening + DAY + HOUR),
    ]  # fmt: skip
    missed = Span(evening - 9 * DAY, evening + HOUR - 9 * DAY)
    assert due(calendar, last=missed) == due(calendar)


@given(
    places(),
    st.sampled_from(TOUCHING),
    st.lists(st.integers(0, 60 * 24 * 70), min_size=1, max_size=8),
    st.integers(0, 60 * 24 * 3),
)
def test_whenever_the_maker_runs_the_windows_touch_and_the_next_one_is_there(
    place: tuple[ZoneInfo, datetime], kind: Kind, waits: list[int], grace_minutes: int
) -> None:
    calendar, now = Calendar(kind, place[0]), place[1]
    grace = timedelta(minutes=grace_minutes)
    made: list[Span] = []
    for minutes in waits:
        now += timedelta(minutes=minutes)
        last = made[-1] if made else None
        made += due_spans(calendar, last=last, begins_at=None, grace=grace, now=now)
        assert made[-1].starts_at > now >= made[-2].starts_at
        assert made[-2] == span_at(calendar, now)
        for one, following in pairwise(made):
            over = following.starts_at > one.ends_at and following.starts_at <= now - grace
            assert one.ends_at == following.starts_at or over


def test_the_ids_of_seasons_say_which_window_they_are() -> None:
    assert next(season_slugs("ladder-daily", DAILY, TODAY)) == "ladder-daily-2026-11-30"
    assert list(islice(season_slugs("ladder-daily", DAILY, TODAY), 1, 3)) == [
        "ladder-daily-2026-11-30-2", "ladder-daily-2026-11-30-3",
    ]  # fmt: skip
    always = season_slugs("ladder-all", Calendar("all_time", BERLIN), Span(ALWAYS, FOR_EVER))
    assert next(always) == "ladder-all"


def rules(**members: Any) -> SeriesRules:
    known = {"slug": "ladder", "name": "Ladder", "time_zone": "Europe/Berlin"}
    return SeriesRules(**{**known, "windows": (WindowWanted("daily", "daily"),), **members})


def test_a_series_may_have_many_windows_and_all_rules_of_seasons() -> None:
    wanted = rules(
        windows=(
            *(WindowWanted(kind.replace("_", "-"), kind) for kind in (*TOUCHING, "all_time")),
            WindowWanted("evening", "cron", "0 18 * * *", 3600),
            WindowWanted("reset", "cron", "0 4 * * TUE"),
        ),
        late_policy="next",
        kept_days=0,
        starts_at=NOW,
    )
    assert series_faults(wanted) == []


@pytest.mark.parametrize(
    ("members", "member"),
    [
        ({"slug": "No"}, "slug"),
        ({"name": ""}, "name"),
        ({"name": "n" * 121}, "name"),
        ({"name": "nul\0"}, "name"),
        ({"time_zone": "Europe/Nowhere"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"time_zone": ""}, "time_zone"),
        ({"windows": ()}, "windows"),
        ({"windows": (WindowWanted("a", "daily"), WindowWanted("a", "weekly"))}, "windows"),
        ({"windows": tuple(WindowWanted(f"w{n}", "daily") for n in range(21))}, "windows"),
        ({"windows": (WindowWanted("", "daily"),)}, "windows"),
        ({"windows": (WindowWanted("-a", "daily"),)}, "windows"),
        ({"windows": (WindowWanted("a" * 40, "daily"),)}, "windows"),
        ({"windows": (WindowWanted("a", "hourly"),)}, "windows"),  # type: ignore[arg-type]
        ({"windows": (WindowWanted("a", "daily", "* * * * *"),)}, "windows"),
        ({"windows": (WindowWanted("a", "daily", "", 60),)}, "windows"),
        ({"windows": (WindowWanted("a", "cron"),)}, "windows"),
        ({"windows": (WindowWanted("a", "cron", "0 0 30 2 *"),)}, "windows"),
        ({"windows": (WindowWanted("a", "cron", "0 " * 60 + "0 * * * *"),)}, "windows"),
        ({"windows": (WindowWanted("a", "cron", "* * * * *", 59),)}, "windows"),
        ({"starts_at": ALWAYS - DAY}, "starts_at"),
        ({"starts_at": FOR_EVER}, "starts_at"),
        ({"kept_days": -1}, "kept_days"),
        ({"kept_days": 36_601}, "kept_days"),
        ({"grace_seconds": -1}, "grace_seconds"),
        ({"late_policy": "never"}, "late_policy"),
        ({"score_min": 9, "score_max": 9}, "score_max"),
    ],
    ids=str,
)
def test_what_a_series_cannot_be_is_said_at_its_member(
    members: dict[str, Any], member: str
) -> None:
    assert [where for where, _ in series_faults(rules(**members))] == [member]


def test_all_faults_of_a_series_are_said_at_once() -> None:
    found = series_faults(rules(slug="No", time_zone="x", windows=(), kept_days=-1, score_min=-1))
    assert [where for where, _ in found] == [
        "slug",
        "time_zone",
        "windows",
        "kept_days",
        "score_min",
    ]
