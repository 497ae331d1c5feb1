"""Series in the admin: listed, made by the worker, shown with their seasons, and ended."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from leaderboard import tasks
from leaderboard.models import Job
from leaderboard.operations import finalize_season
from leaderboard.operations.retire_season import drop_retired, retire_season
from leaderboard.operations.run_job import KINDS
from seasons.models import Season, Series, Transition
from seasons.operations import close_season
from tests.factories import board
from tests.people import client_of, person, text_of
from tests.series import ALL_TIME, DAILY, make_series, seasons_of

REASON = {"actor": "eve", "reason": "over"}


def list_url() -> str:
    return reverse("admin:seasons_series_changelist")


def add_url() -> str:
    return reverse("admin:seasons_series_add")


def series_url(series: Series, view: str = "change") -> str:
    return reverse(f"admin:seasons_series_{view}", args=[series.id])


def rules(**answers: Any) -> dict[str, Any]:
    return {
        "slug": "ladder",
        "name": "The ladder",
        "time_zone": "Europe/Berlin",
        "calendar": ["daily", "all_time"],
        "cron": "evening | 0 18 * * * | 3600\n\nreset | 0 4 * * TUE | next\n",
        "starts_at": "",
        "kept_days": "30",
        "grace_seconds": "60",
        "late_policy": "next",
        "score_min": "0",
        "score_max": "5000",
        "tie_rule": "earliest",
        "order": "asc",
        "keep": "latest",
        "regions": "eu na",
        **answers,
    }


def test_a_series_is_made_by_the_worker_and_the_outcome_is_told(database: str) -> None:
    who = person("operator")
    client = client_of(who)
    client.post(add_url(), rules())
    job = Job.objects.get()
    assert (job.kind, job.requested_by) == ("create_series", who)
    assert not Series.objects.exists()
    tasks.run_jobs(list(KINDS))
    page = text_of(client.get(reverse("admin:leaderboard_job_change", args=[job.id])))
    assert "Series ladder is made." in page
    made = Series.objects.get()
    assert (made.time_zone, made.kept_days, made.late_policy, made.starts_at) == (
        "Europe/Berlin", 30, "next", None,
    )  # fmt: skip
    assert (made.tie_rule, made.order, made.keep, made.regions) == (
        "earliest", "asc", "latest", ["eu", "na"],
    )  # fmt: skip
    windows = made.window_rules.values_list("suffix", "kind", "cron", "duration_seconds")
    assert list(windows) == [
        ("daily", "daily", "", None),
        ("all-time", "all_time", "", None),
        ("evening", "cron", "0 18 * * *", 3600),
        ("reset", "cron", "0 4 * * TUE", None),
    ]
    assert "ladder-all-time" in {season.slug for season in seasons_of(made)}
    entry = LogEntry.objects.latest("id")
    assert (entry.user, entry.change_message) == (who, "Asked for the series ladder")


def test_a_start_and_no_end_of_keeping_are_taken_as_they_are(database: str) -> None:
    client_of(person("operator")).post(
        add_url(), rules(cron="", kept_days="", starts_at="2031-01-01T00:00:00+01:00")
    )
    tasks.run_jobs(list(KINDS))
    made = Series.objects.get()
    assert made.kept_days is None
    assert made.starts_at == datetime(2030, 12, 31, 23, tzinfo=UTC)


def test_a_job_whose_worker_was_killed_is_done_anew(database: str) -> None:
    client_of(person("operator")).post(add_url(), rules())
    tasks.run_jobs(list(KINDS))
    Job.objects.update(finished_at=None, started_at=datetime.now(UTC) - timedelta(hours=1))
    tasks.run_jobs(list(KINDS))
    assert Job.objects.get().succeeded
    Job.objects.update(finished_at=None, started_at=None, requested_at=datetime.now(UTC))
    tasks.run_jobs(list(KINDS))
    assert (Job.objects.get().succeeded, Job.objects.get().outcome) == (
        False, "There is a series with this id already.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "member", "says"),
    [
        ({"slug": "No"}, "slug", "The slug must match"),
        ({"slug": "taken"}, None, "There is a series with this id already."),
        ({"name": ""}, "name", "This field is required."),
        ({"time_zone": "Berlin"}, "time_zone", "must be a name such as Europe/Berlin"),
        ({"calendar": [], "cron": ""}, None, "1 to 20 kinds of windows"),
        ({"calendar": ["hourly"]}, "calendar", "Select a valid choice."),
        ({"cron": "evening"}, "cron", "must have three parts"),
        ({"cron": "evening | 0 18 * * * | soon"}, "cron", "must end in seconds or"),
        ({"cron": "evening | 0 18 * * | 60"}, None, "needs a cron expression of five fields"),
        ({"cron": "daily | 0 18 * * * | 60"}, None, "may have the same suffix"),
        ({"kept_days": "-1"}, "kept_days", "greater than or equal to 0"),
        ({"kept_days": "99999"}, "kept_days", "Windows must be kept for 0 to"),
        ({"score_max": "0"}, "score_max", "The lowest score must be below"),
        ({"late_policy": "other"}, "late_policy", "Select a valid choice."),
    ],
    ids=str,
)
def test_each_fault_of_the_rules_stands_at_its_field(
    database: str, answers: dict[str, Any], member: str | None, says: str
) -> None:
    make_series(slug="taken", windows=(ALL_TIME,))
    answer = client_of(person("operator")).post(add_url(), rules(**answers))
    assert says in text_of(answer)
    form = answer.context["shown_form"].form
    assert any(says in fault for fault in form.errors[member or "__all__"])
    assert not Job.objects.exists()


def test_the_list_and_the_page_show_rules_and_seasons(database: str) -> None:
    series = make_series(slug="ladder", windows=(DAILY, ALL_TIME), kept_days=7)
    make_series(slug="other", windows=(ALL_TIME,))
    client = client_of(person("viewer"))
    listed = text_of(client.get(list_url()))
    assert "daily, all-time" in listed
    assert "7 days" in listed
    assert "for ever" in listed
    assert "other" not in text_of(client.get(list_url() + "?after=other"))
    page = text_of(client.get(series_url(series)))
    for season in seasons_of(series):
        assert season.slug in page
    assert ">open<" in page
    assert ">scheduled<" in page
    assert client.get(reverse("admin:seasons_series_change", args=[999])).status_code == 404


def test_a_series_is_ended_with_a_reason(database: str) -> None:
    series = make_series(slug="ladder", windows=(DAILY, ALL_TIME))
    who = person("operator")
    client = client_of(who)
    assert "It cannot be taken back." in text_of(client.get(series_url(series, "end")))
    assert "This field is required." in text_of(client.post(series_url(series, "end"), {}))
    assert "has ended" in text_of(
        client.post(series_url(series, "end"), {"reason": "enough"}, follow=True)
    )
    series.refresh_from_db()
    assert series.ended_at is not None
    always = Season.objects.get(slug="ladder-all-time")
    transition = Transition.objects.get(season=always)
    assert (transition.actor, transition.reason) == (who.username, "enough")
    entry = LogEntry.objects.latest("id")
    assert (entry.user, entry.change_message) == (who, "End it: enough")
    assert "End it" not in text_of(client.get(series_url(series)))


def test_a_season_that_is_gone_shows_what_it_was(database: str) -> None:
    series = make_series(slug="ladder", grace_seconds=0)
    season = seasons_of(series)[0]
    board(season.slug, ann=10, bob=20)
    close_season(season.slug, **REASON)
    assert finalize_season(season.slug, **REASON).outcome == "final"
    retirement = retire_season(season.id)
    assert drop_retired() == season.slug
    client = client_of(person("viewer"))
    page = text_of(client.get(reverse("admin:seasons_season_change", args=[season.id])))
    assert "It is gone" in page
    assert retirement.sha256 in page
    gone = text_of(client.get(reverse("admin:leaderboard_retirement_changelist")))
    assert season.slug in gone
    assert season.slug not in text_of(client.get(reverse("admin:seasons_season_changelist")))
    assert season.slug in text_of(client.get(series_url(series)))
