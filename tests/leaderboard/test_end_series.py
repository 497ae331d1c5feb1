"""A series that has ended gets no window any more; what has begun runs out."""

from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.errors import SeriesNotFound
from leaderboard import tasks
from leaderboard.models import Retirement
from leaderboard.operations.end_series import end_series
from leaderboard.operations.retire_season import drop_retired
from leaderboard.queries import published
from seasons.models import Season, Series, Transition
from seasons.queries.window_rules import window_rules_due
from seasons.rules import WindowWanted
from tests.api import get, problem
from tests.factories import apply, event
from tests.races.harness import blocked, outcome, stopped, together
from tests.series import ALL_TIME, DAILY, make_series, seasons_of

REASON = {"actor": "eve", "reason": "no more"}
HOUR = timedelta(hours=1)


@pytest.fixture
def series(shared: str) -> Series:
    """Give the test a series with days and all time."""
    return make_series(windows=(DAILY, ALL_TIME))


def test_what_is_open_runs_out_and_what_has_not_begun_is_gone(series: Series) -> None:
    today, tomorrow, always = seasons_of(series)
    ended = end_series(series.slug, **REASON)
    assert ended.ended_at is not None
    assert published(today.slug).cutoff_at == today.cutoff_at
    assert apply(today.slug, event("ann", 10))[0].outcome == "improved"
    tomorrow.refresh_from_db()
    assert tomorrow.retired_at is not None
    assert Retirement.objects.get(season=tomorrow).final_version is None
    assert published(always.slug).status == "closing"
    assert Transition.objects.get(season=always).actor == "eve"
    assert drop_retired() == tomorrow.slug


def test_no_window_is_made_any_more(series: Series) -> None:
    rules = set(series.window_rules.values_list("id", flat=True))
    end_series(series.slug, **REASON)
    assert not rules & set(window_rules_due())
    made = seasons_of(series)
    tasks.make_windows()
    assert seasons_of(series) == made


def test_ending_it_again_changes_nothing(series: Series) -> None:
    first = end_series(series.slug, **REASON).ended_at
    assert end_series(series.slug, **REASON).ended_at == first
    assert Retirement.objects.filter(season__window__rule__series=series).count() == 1


def test_a_series_that_is_not_there(shared: str) -> None:
    with pytest.raises(SeriesNotFound):
        end_series("nowhere", **REASON)


def test_the_reply_shows_when_it_ended_and_nothing_that_is_to_come(database: str) -> None:
    make_series(slug="ladder", windows=(DAILY, ALL_TIME))
    tomorrow = get("/v1/series/ladder").json()["upcoming"][0]["season_id"]
    end_series("ladder", **REASON)
    body = get("/v1/series/ladder").json()
    assert body["ended_at"] is not None
    assert [season["window"] for season in body["current"]] == ["daily"]
    assert body["upcoming"] == []
    assert [season["window"] for season in body["past"]] == ["all-time"]
    problem(get(f"/v1/seasons/{tomorrow}"), 410, "season_retired")


def test_the_command_says_what_it_did_or_why_not(series: Series) -> None:
    said = StringIO()
    call_command("end_series", series.slug, stdout=said)
    assert said.getvalue().startswith(f"Series {series.slug} has ended at 2")
    with pytest.raises(CommandError, match="no series"):
        call_command("end_series", "nowhere")


@pytest.mark.race
def test_a_season_that_begins_at_that_moment_stays(shared: str) -> None:
    series = make_series(starts_at=datetime.now(UTC) + HOUR)
    (first,) = seasons_of(series)

    def before_it_is_fenced(_: int, statement: str) -> bool:
        return "pg_advisory_xact_lock(1" in statement

    with stopped(lambda: end_series(series.slug, **REASON), before_it_is_fenced) as ending:
        Season.objects.filter(id=first.id).update(starts_at=datetime.now(UTC) - HOUR)
        assert not isinstance(ending.go_on(), Exception)
    assert published(first.slug).status == "open"


@pytest.mark.race
def test_a_maker_and_the_end_agree_on_what_is_to_come(shared: str) -> None:
    minutes = (WindowWanted("minute", "cron", "* * * * *"),)
    for _ in range(3):
        series = make_series(windows=minutes)
        done = together(tasks.make_windows, partial(end_series, series.slug, **REASON))
        assert not [one for one in done if isinstance(one, Exception)], done
        tasks.make_windows()
        to_come = Season.objects.filter(
            window__rule__series=series, starts_at__gt=datetime.now(UTC), retired_at=None
        )
        assert not to_come.exists()


@pytest.mark.race
def test_the_end_waits_for_a_window_that_is_being_made(shared: str) -> None:
    series = make_series(starts_at=datetime.now(UTC) + HOUR, slug=None)
    (first,) = seasons_of(series)
    Season.objects.filter(id=first.id).update(starts_at=datetime.now(UTC) - HOUR)
    first.window.starts_at = datetime.now(UTC) - HOUR
    first.window.save()

    def at_its_end(_: int, statement: str) -> bool:
        return statement == "COMMIT"

    with stopped(tasks.make_windows, at_its_end) as maker:
        ending = blocked(lambda: end_series(series.slug, **REASON))
        maker.go_on()
    assert outcome(ending).ended_at is not None
    made = seasons_of(series)
    assert [season.retired_at is not None for season in made] == [False, True]
