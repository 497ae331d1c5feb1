"""Seasons in the admin: listed, made by the worker, and moved from state to state."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from config.lately import PLAYERS
from leaderboard import tasks
from leaderboard.models import Job, Rebuild, Stop
from leaderboard.operations import verify_season
from leaderboard.operations.run_job import KINDS
from leaderboard.queries import published
from seasons.models import Season, Transition
from tests.factories import apply, board, event, make_season, publish
from tests.own_database import Once
from tests.people import client_of, person, text_of

ALL_KINDS = list(KINDS)


def list_url() -> str:
    return reverse("admin:seasons_season_changelist")


def add_url() -> str:
    return reverse("admin:seasons_season_add")


def season_url(slug: str) -> str:
    return reverse("admin:seasons_season_change", args=[Season.objects.get(slug=slug).id])


def act_url(slug: str, act: str) -> str:
    return reverse("admin:seasons_season_act", args=[Season.objects.get(slug=slug).id, act])


def rules(**answers: Any) -> dict[str, Any]:
    return {
        "slug": "winter",
        "name": "Winter",
        "starts_at": "2031-01-01T00:00:00Z",
        "cutoff_at": "2031-02-01T00:00:00+01:00",
        "grace_seconds": "60",
        "late_policy": "review",
        "score_min": "0",
        "score_max": "5000",
        "tie_rule": "shared",
        "order": "desc",
        "keep": "best",
        "regions": "",
        **answers,
    }


def the_log() -> LogEntry:
    entry = LogEntry.objects.order_by("-id").first()
    assert entry is not None
    return entry


def test_a_season_is_made_by_the_worker_and_the_outcome_is_told(database: str) -> None:
    who = person("operator")
    client = client_of(who)
    answer = client.post(add_url(), rules(), follow=True)
    job = Job.objects.get()
    assert (job.kind, job.requested_by) == ("create_season", who)
    waiting = text_of(answer)
    assert 'http-equiv="refresh"' in waiting
    assert ">waits<" in waiting
    assert not Season.objects.exists()
    tasks.run_jobs(ALL_KINDS)
    page = text_of(client.get(reverse("admin:leaderboard_job_change", args=[job.id])))
    assert "Season winter is made." in page
    assert 'http-equiv="refresh"' not in page
    made = published("winter")
    assert (made.starts_at, made.cutoff_at) == (
        datetime(2031, 1, 1, tzinfo=UTC), datetime(2031, 1, 31, 23, tzinfo=UTC),
    )  # fmt: skip
    assert (made.score_max, made.late_policy, made.number) == (5000, "review", 1)
    assert (the_log().user, the_log().change_message) == (who, "Asked for the season winter")
    assert "Season winter is made." in text_of(
        client.get(reverse("admin:leaderboard_job_changelist"))
    )


def operator_of_a_season() -> Client:
    """Make a season and somebody who may make others."""
    make_season("season")
    return client_of(person("operator"))


@pytest.mark.parametrize(
    ("answers", "member", "says"),
    [
        ({"slug": "No"}, "slug", "The slug must match"),
        ({"slug": "season"}, None, "There is a season with this id already."),
        ({"name": ""}, "name", "This field is required."),
        ({"name": "x" * 201}, "name", "at most 200 characters"),
        ({"starts_at": "soon"}, "starts_at", "Enter a valid date/time."),
        ({"cutoff_at": "2031-01-01T00:00:00Z"}, "cutoff_at", "must start before its cutoff"),
        ({"grace_seconds": "-1"}, "grace_seconds", "The grace time must be 0 to 30 days."),
        ({"grace_seconds": "1e3"}, "grace_seconds", "Enter a whole number."),
        ({"grace_seconds": "9" * 30}, "grace_seconds", "less than or equal to"),
        ({"score_min": "-1"}, "score_min", "The scores must lie within"),
        ({"score_max": "0"}, "score_max", "The lowest score must be below"),
        ({"score_max": "1000000001"}, "score_max", "The scores must lie within"),
        ({"late_policy": "next"}, "late_policy", "must be reject or review"),
        ({"late_policy": "other"}, "late_policy", "Select a valid choice."),
        ({"tie_rule": "other"}, "tie_rule", "Select a valid choice."),
        ({"order": "other"}, "order", "Select a valid choice."),
        ({"keep": "other"}, "keep", "Select a valid choice."),
        ({"regions": "eu us eu"}, "regions", "A region is named twice."),
    ],
    ids=str,
)
def test_each_fault_of_the_rules_stands_at_its_field(
    once: Once, answers: dict[str, Any], member: str | None, says: str
) -> None:
    answer = once(operator_of_a_season).post(add_url(), rules(**answers))
    assert says in text_of(answer)
    form = answer.context["shown_form"].form
    assert any(says in fault for fault in form.errors[member or "__all__"])
    assert not Job.objects.exists()


def test_the_list_shows_state_version_lag_verification_and_stop(database: str) -> None:
    now = datetime.now(UTC)
    later, before = now + timedelta(days=1), now - timedelta(minutes=5)
    make_season("a-scheduled", starts_at=later, cutoff_at=later + timedelta(days=1))
    make_season("b-open")
    board("b-open", ann=5)
    verified = verify_season("b-open")
    make_season("c-closing", cutoff_at=before, grace_seconds=0)
    Stop.objects.create(
        season_id=make_season("d-stopped").id,
        failed_check="membership",
        detail="x",
        stopped_at=now,
    )
    page = text_of(client_of(person("viewer")).get(list_url()))
    rows = dict(re.findall(r"<tr>.*?>([a-d]-[a-z]+)<(.*?)</tr>", page, re.DOTALL))
    for slug, state in (
        ("a-scheduled", "scheduled"),
        ("b-open", "open"),
        ("c-closing", "closing"),
    ):
        assert f">{state}<" in rows[slug]
    assert ">agrees<" in rows["b-open"]
    assert f"/verification/{verified.id}/" in rows["b-open"]
    assert ">membership<" in rows["d-stopped"]
    assert "agrees" not in rows["d-stopped"]


def test_the_list_is_paged_by_id_and_goes_to_the_season_asked_for(database: str) -> None:
    for number in range(51):
        make_season(f"season-{number:02}")
    client = client_of(person("viewer"))
    first = text_of(client.get(list_url()))
    assert "season-49<" in first
    assert "season-50<" not in first
    assert "?after=season-49" in first
    second = text_of(client.get(list_url(), {"after": "season-49"}))
    assert "season-50<" in second
    assert "season-49<" not in second
    found = client.get(list_url(), {"season": "season-50"})
    assert found.headers["Location"] == season_url("season-50")
    assert "There is no season with this id." in text_of(client.get(list_url(), {"season": "no"}))


def test_a_seasons_page_tells_rules_history_and_what_stopped_it(
    season: str, superuser: "psycopg.Connection[Any]"
) -> None:
    board(season, ann=50)
    verification = verify_season(season)
    client = client_of(person("operator"))
    client.post(act_url(season, "close"), {"reason": "the end"})
    Stop.objects.create(
        season_id=Season.objects.get().id, failed_check="prefix_chain", detail="bucket 7",
        stopped_at=datetime.now(UTC),
    )  # fmt: skip
    page = text_of(client.get(season_url(season)))
    for told in ("prefix_chain: bucket 7", "the end", "0 to 1000000", ">agrees<", ">closing<"):
        assert told in page
    assert f"/verification/{verification.id}/" in page
    assert "/held/?season=season" in page


@pytest.mark.parametrize(
    ("state", "acts"),
    [
        ("scheduled", {"open", "publish", "verify"}),
        ("open", {"close", "publish", "verify"}),
        ("closing", {"finalize", "publish", "verify"}),
    ],
)
def test_a_season_has_the_buttons_of_its_state(database: str, state: str, acts: set[str]) -> None:
    now = datetime.now(UTC)
    times = {
        "scheduled": (now + timedelta(hours=1), now + timedelta(days=1)),
        "open": (now - timedelta(hours=1), now + timedelta(days=1)),
        "closing": (now - timedelta(hours=1), now - timedelta(minutes=1)),
    }[state]
    make_season("season", starts_at=times[0], cutoff_at=times[1])
    page = text_of(client_of(person("operator")).get(season_url("season")))
    every = {"open", "close", "finalize", "publish", "verify"}
    assert {act for act in every if act_url("season", act) in page} == acts


def test_open_now_starts_a_scheduled_season(database: str) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    make_season("season", starts_at=later, cutoff_at=later + timedelta(days=1))
    who = person("operator")
    answer = client_of(who).post(act_url("season", "open"), {"reason": "early"}, follow=True)
    assert "The season is open." in text_of(answer)
    assert published("season").status == "open"
    kept = Transition.objects.get(status="open")
    assert (kept.actor, kept.reason) == (who.username, "early")
    assert (the_log().object_repr, the_log().change_message) == ("season", "Open now: early")


def test_close_now_ends_an_open_season(season: str) -> None:
    answer = client_of(person("operator")).post(
        act_url(season, "close"), {"reason": "enough"}, follow=True
    )
    assert "The season is closing" in text_of(answer)
    assert published(season).status == "closing"
    assert the_log().change_message == "Close now: enough"


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ("open", "The season is open, not scheduled."),
        ("close", "The season is closing, not open."),
    ],
)
def test_a_transition_from_another_state_is_refused_clearly(
    season: str, act: str, says: str
) -> None:
    client = client_of(person("operator"))
    if act == "close":
        client.post(act_url(season, "close"), {"reason": "first"})
    entries = LogEntry.objects.count()
    assert says in text_of(client.post(act_url(season, act), {"reason": "again"}))
    assert LogEntry.objects.count() == entries


def test_publish_now_publishes(season: str) -> None:
    apply(season, event("ann", 50))
    answer = client_of(person("operator")).post(
        act_url(season, "publish"), {"reason": "look"}, follow=True
    )
    assert "published: version 2, 1 changes." in text_of(answer)
    assert published(season).members == [1]
    assert the_log().change_message == "Publish now: look"


def test_publish_now_says_which_check_failed(
    season: str, superuser: "psycopg.Connection[Any]"
) -> None:
    apply(season, event("ann", 50))
    superuser.execute("UPDATE scores_tally SET events = 9")
    page = text_of(
        client_of(person("operator")).post(act_url(season, "publish"), {"reason": "look"})
    )
    assert "A check failed, the old version stays: ledger_against_tallies" in page
    assert published(season).members == [0]


def test_make_final_is_done_by_the_worker(database: str) -> None:
    make_season("season", grace_seconds=0)
    apply("season", event("ann", 50))
    publish("season")
    Season.objects.update(cutoff_at=datetime.now(UTC))
    who = person("operator")
    client = client_of(who)
    answer = client.post(act_url("season", "finalize"), {"reason": "all in"}, follow=True)
    assert ">waits<" in text_of(answer)
    tasks.run_jobs(ALL_KINDS)
    job = Job.objects.get()
    assert (job.succeeded, job.outcome) == (
        True,
        f"Version {published('season').number} is final.",
    )
    assert (published("season").status, published("season").members) == ("final", [1])
    kept = Transition.objects.get(status="final")
    assert (kept.actor, kept.reason) == (who.username, "all in")
    page = text_of(client.get(season_url("season")))
    assert act_url("season", "finalize") not in page


def test_make_final_before_the_grace_time_is_over_fails_clearly(database: str) -> None:
    make_season("season", cutoff_at=datetime.now(UTC) - timedelta(seconds=1), grace_seconds=3600)
    client_of(person("operator")).post(act_url("season", "finalize"), {"reason": "now"})
    tasks.run_jobs(ALL_KINDS)
    job = Job.objects.get()
    assert job.succeeded is False
    assert job.outcome.startswith("The grace time is not over before")


def test_boards_are_rebuilt_and_the_replaced_ones_dropped_by_the_worker(
    season: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board(season, ann=50)
    before = published(season)
    monkeypatch.setattr(PLAYERS, "asked", {before.season_id: ["ann"]}.get)
    client = client_of(person("operator"))
    client.post(act_url(season, "rebuild"), {"reason": "a damaged bucket"})
    tasks.run_jobs(ALL_KINDS)
    after = published(season)
    assert (after.number, after.members) == (before.number, [1])
    assert after.namespace != before.namespace
    assert Rebuild.objects.get().report["shadowed"]["asked_lately"] == 1
    client.post(act_url(season, "drop"), {"reason": "all is well"})
    tasks.run_jobs(ALL_KINDS)
    rebuilt, dropped = Job.objects.order_by("id")
    kept = f"{before.namespace} is kept until dropped."
    assert rebuilt.outcome == f"The namespace {after.namespace} is in use; {kept}"
    assert dropped.outcome == f"Dropped: {before.namespace}."
    assert rebuilt.succeeded is dropped.succeeded is True


def test_verify_is_done_by_the_worker_and_its_report_can_be_read(season: str) -> None:
    board(season, ann=50)
    client = client_of(person("operator"))
    client.post(act_url(season, "verify"), {"reason": "monday"})
    tasks.run_jobs(ALL_KINDS)
    job = Job.objects.get()
    assert job.succeeded is True
    number = job.outcome.split("verification ")[1].rstrip(".")
    page = text_of(client.get(reverse("admin:leaderboard_verification_change", args=[number])))
    assert ">agrees<" in page
    assert "First differences" not in page


def test_a_difference_is_told_with_what_it_is(
    season: str, superuser: "psycopg.Connection[Any]"
) -> None:
    board(season, ann=50)
    superuser.execute("UPDATE scores_best SET score = 51 WHERE player_id = 'ann'")
    client = client_of(person("operator"))
    client.post(act_url(season, "verify"), {"reason": "monday"})
    tasks.run_jobs(ALL_KINDS)
    job = Job.objects.get()
    assert job.succeeded is False
    assert "is NOT what the ledger says" in job.outcome
    number = job.outcome.split("verification ")[1].rstrip(".")
    page = text_of(client.get(reverse("admin:leaderboard_verification_change", args=[number])))
    assert ">differs<" in page
    assert "First differences" in page
    assert "ann" in page


def test_every_act_asks_for_a_reason_first(season: str) -> None:
    client = client_of(person("operator"))
    for act in ("open", "close", "finalize", "publish", "verify"):
        assert "Reason" in text_of(client.get(act_url(season, act)))
        assert "This field is required." in text_of(client.post(act_url(season, act), {}))
    assert published(season).status == "open"
    assert not Job.objects.exists()
    assert not LogEntry.objects.exists()


def test_what_does_not_exist_is_not_found(season: str) -> None:
    client = client_of(person("operator"))
    assert client.get(reverse("admin:seasons_season_change", args=[10**9])).status_code == 404
    assert client.get(reverse("admin:seasons_season_act", args=[10**9, "open"])).status_code == 404
    assert client.get(act_url(season, "destroy")).status_code == 404
    for model in ("job", "verification"):
        for number in ("1000000", "x", "9" * 40):
            page = reverse(f"admin:leaderboard_{model}_change", args=[number])
            assert client.get(page).status_code == 404
