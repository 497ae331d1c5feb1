"""The seasons of a series are made ahead of their time, in order, and each exactly once."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command

from config import db
from config.celery import app
from config.errors import SeriesExists, ValidationFailed
from leaderboard import tasks
from leaderboard.operations import make_windows
from leaderboard.operations.create_series import create_series
from leaderboard.queries import published
from seasons.models import Season, Series, Window, WindowRule
from seasons.queries.window_rules import window_rules_due
from seasons.rules import WindowWanted
from seasons.rules.calendar import ALWAYS, FOR_EVER
from seasons.steps import insert_series
from tests.factories import apply, event, make_season, unused_slug
from tests.races.harness import blocked, outcome, together, uncommitted
from tests.series import ALL_TIME, DAILY, make_series, noon, seasons_of, series_rules, windows

DAY = timedelta(days=1)


def left_unmade(**members: Any) -> WindowRule:
    """Return the rule of a series whose maker was killed before it made a window."""
    with db.transact:
        series = insert_series(series_rules(**members))
    return series.window_rules.get()


def today() -> datetime:
    """Return the last midnight in the zone of the tests."""
    now = datetime.now(ZoneInfo(noon()))
    return now.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)


def test_a_series_begins_with_the_present_window_and_the_next(shared: str) -> None:
    series = make_series(late_policy="next", grace_seconds=7, score_max=99)
    present, following = seasons_of(series)
    assert (present.starts_at, present.cutoff_at) == (today(), today() + DAY)
    assert (following.starts_at, following.cutoff_at) == (today() + DAY, today() + 2 * DAY)
    date = f"{datetime.now(ZoneInfo(noon())):%Y-%m-%d}"
    assert present.slug == f"{series.slug}-daily-{date}"
    assert present.name == f"Ladder daily-{date}"
    for season in (present, following):
        assert (season.late_policy, season.grace_seconds, season.score_max) == ("next", 7, 99)
    assert [published(season.slug).status for season in (present, following)] == [
        "open",
        "scheduled",
    ]
    assert apply(present.slug, event("ann", 10))[0].outcome == "improved"


def test_each_kind_of_window_gets_its_seasons(shared: str) -> None:
    wanted = windows("daily", "weekly", "monthly", "all_time")
    made = [season.slug for season in seasons_of(make_series(slug="every", windows=wanted))]
    assert [slug.rsplit("-2", 1)[0] for slug in made] == [
        "every-daily", "every-daily", "every-weekly", "every-weekly", "every-monthly",
        "every-monthly", "every-all-time",
    ]  # fmt: skip
    always = Season.objects.get(slug="every-all-time")
    assert (always.starts_at, always.cutoff_at) == (ALWAYS, FOR_EVER)


def test_when_the_next_windows_are_there_nothing_is_made(shared: str) -> None:
    series = make_series(windows=(DAILY, ALL_TIME))
    rules = list(series.window_rules.values_list("id", flat=True))
    assert not set(rules) & set(window_rules_due())
    made = seasons_of(series)
    assert make_windows(rules[1]) == []
    assert seasons_of(series) == made


def test_when_the_next_window_begins_the_one_after_is_made(shared: str) -> None:
    """The clock goes on by a minute, which here is: what was made is a minute earlier."""
    series = make_series(windows=(WindowWanted("minute", "cron", "* * * * *"),))
    rule = series.window_rules.get()
    back = timedelta(minutes=1)
    for window in Window.objects.filter(rule=rule).order_by("starts_at"):
        Window.objects.filter(id=window.id).update(
            starts_at=window.starts_at - back, ends_at=window.ends_at - back
        )
    last = Window.objects.filter(rule=rule).latest("starts_at")
    assert rule.id in window_rules_due()
    made = make_windows(rule.id)
    assert made[0].starts_at == last.ends_at
    assert made[-1].starts_at > datetime.now(UTC) - timedelta(seconds=30)
    assert all(one.cutoff_at == following.starts_at for one, following in pairwise(made))


def test_what_a_server_missed_is_made_in_order_while_results_may_arrive(shared: str) -> None:
    begins_at = today() - 9 * DAY
    rule = left_unmade(starts_at=begins_at, grace_seconds=3 * 86_400)
    made = make_windows(rule.id)
    # It is noon: what ended at midnight three days ago takes no result any more.
    assert [season.starts_at for season in made] == [today() + n * DAY for n in (-3, -2, -1, 0, 1)]
    assert [season.id for season in made] == sorted(season.id for season in made)
    late = event("ann", 10, completed_at=today() - DAY)
    assert apply(made[2].slug, late)[0].outcome == "improved"
    assert make_windows(rule.id) == []


def test_after_a_long_time_others_come_between(shared: str) -> None:
    rule = left_unmade(starts_at=today() - 2 * DAY, grace_seconds=30 * 86_400)
    assert [len(make_windows(rule.id, most=2)) for _ in range(3)] == [2, 2, 0]


def test_a_series_that_begins_later_has_its_first_window_cut(shared: str) -> None:
    begins_at = datetime.now(UTC) + 3 * DAY
    (only,) = seasons_of(make_series(starts_at=begins_at))
    assert (only.starts_at, only.cutoff_at) == (begins_at, today() + 4 * DAY)


def test_an_id_that_is_taken_gets_a_number(shared: str) -> None:
    first = seasons_of(make_series(slug="first"))[0].slug
    taken = first.replace("first", "second")
    make_season(taken)
    assert seasons_of(make_series(slug="second"))[0].slug == f"{taken}-2"


def test_a_series_that_has_ended_gets_no_window(shared: str) -> None:
    rule = left_unmade()
    Series.objects.filter(id=rule.series_id).update(ended_at=datetime.now(UTC))
    assert rule.id not in window_rules_due()
    assert make_windows(rule.id) == []
    assert not Window.objects.filter(rule=rule).exists()


def test_a_slug_is_given_once_and_wrong_rules_make_nothing(shared: str) -> None:
    slug = make_series().slug
    with pytest.raises(SeriesExists):
        make_series(slug=slug)
    with pytest.raises(ValidationFailed) as refusal:
        make_series(slug="wrong", time_zone="Nowhere", windows=())
    assert [fault.pointer for fault in refusal.value.faults] == ["/time_zone", "/windows"]
    assert not Series.objects.filter(slug="wrong").exists()


def test_beat_makes_what_is_due_and_one_that_fails_keeps_no_other_from_it(
    shared: str, monkeypatch: Any
) -> None:
    broken, whole = left_unmade(), left_unmade()
    Series.objects.filter(id=broken.series_id).update(time_zone="Nowhere/Else")
    tasks.make_windows()
    assert Window.objects.filter(rule=whole).count() == 2
    assert not Window.objects.filter(rule=broken).exists()
    schedule = app.conf.beat_schedule["windows"]
    assert schedule["task"] == tasks.make_windows.name
    assert schedule["schedule"] <= 2.0


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_the_command_makes_a_series_and_names_its_seasons(shared: str) -> None:
    text = said(
        "create_series", "cup", "--daily", "--all-time", "--time-zone", "Europe/Berlin",
        "--cron", "evening", "0 18 * * *", "3600", "--cron", "reset", "0 4 * * TUE", "next",
        "--kept-days", "30", "--late-policy", "next", "--score-max", "42",
    )  # fmt: skip
    series = Series.objects.get(slug="cup")
    assert (series.name, series.kept_days, series.late_policy) == ("cup", 30, "next")
    rules = series.window_rules.order_by("id")
    assert list(rules.values_list("suffix", "kind", "cron", "duration_seconds")) == [
        ("daily", "daily", "", None),
        ("all-time", "all_time", "", None),
        ("evening", "cron", "0 18 * * *", 3600),
        ("reset", "cron", "0 4 * * TUE", None),
    ]
    slugs = [season.slug for season in seasons_of(series)]
    assert [line.split()[1].rstrip(":") for line in text.splitlines()] == slugs
    assert "cup-all-time" in slugs


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "1 to 20 kinds of windows"),
        (["--daily", "--time-zone", "Nowhere"], "Europe/Berlin"),
        (["--cron", "a", "* * * * *", "an hour"], "neither seconds"),
        (["--cron", "a", "* * * *", "60"], "five fields"),
        (["--daily", "--kept-days", "-1"], "kept"),
    ],
)
def test_the_command_says_what_is_wrong(shared: str, options: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("create_series", unused_slug(), *options)


@pytest.mark.race
def test_two_makers_at_once_make_each_window_once(shared: str) -> None:
    for _ in range(3):
        rule = left_unmade(starts_at=today() - 2 * DAY, grace_seconds=7 * 86_400)
        done = together(*[lambda rule=rule: make_windows(rule.id)] * 3)
        assert all(isinstance(one, list) for one in done), done
        spans = list(
            Window.objects.filter(rule=rule).order_by("season_id").values_list("starts_at")
        )
        assert spans == [(today() + n * DAY,) for n in (-2, -1, 0, 1)]
        assert sum(map(len, done)) == 4
        assert Season.objects.filter(window__rule=rule).count() == 4


@pytest.mark.race
def test_a_maker_waits_for_another_one_and_makes_what_that_did_not(shared: str) -> None:
    rule = left_unmade()
    with uncommitted(lambda: make_windows(rule.id)) as first:
        second = blocked(lambda: make_windows(rule.id))
        made = first.go_on()
    assert len(made) + len(outcome(second)) == 2
    assert Season.objects.filter(window__rule=rule).count() == 2


@pytest.mark.race
def test_of_two_that_make_a_series_at_once_one_is_told_that_it_exists(shared: str) -> None:
    wanted = series_rules()
    done = together(*[lambda: create_series(wanted)] * 2)
    assert sorted(type(one).__name__ for one in done) == ["Series", "SeriesExists"]
