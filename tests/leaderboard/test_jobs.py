"""What the admin asks the worker for, and what becomes of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.celery import app
from config.errors import SeasonExists, SeasonNotFound, ValidationFailed
from leaderboard import tasks
from leaderboard.models import Job
from leaderboard.operations.request_job import (
    CREATE_SEASON,
    request_final,
    request_season,
    request_verification,
)
from leaderboard.operations.run_job import KINDS, run_next_job
from leaderboard.queries import published
from seasons.models import Season
from seasons.rules import SeasonRules
from tests.people import person
from tests.races.harness import together

START = datetime(2030, 1, 1, 12, tzinfo=UTC)


def rules(slug: str = "wanted", **members: Any) -> SeasonRules:
    times = {"starts_at": START, "cutoff_at": START + timedelta(days=9)}
    return SeasonRules(**{"slug": slug, "name": "Wanted", **times, **members})


def wait(slug: str = "wanted", **members: Any) -> Job:
    return request_season(rules(slug, **members), requested_by=person("operator"))


def run(**options: Any) -> int | None:
    return run_next_job(list(KINDS), **options)


def test_a_season_is_asked_for_and_made_later_with_all_its_rules(database: str) -> None:
    job = wait(grace_seconds=7, late_policy="review", score_min=5, score_max=99)
    assert not Season.objects.exists()
    assert run() == job.id
    made = published("wanted")
    assert (made.name, made.starts_at, made.cutoff_at) == (
        "Wanted", START, START + timedelta(days=9),
    )  # fmt: skip
    assert (made.grace_seconds, made.late_policy, made.score_min, made.score_max) == (
        7, "review", 5, 99,
    )  # fmt: skip
    job.refresh_from_db()
    assert (job.succeeded, job.outcome) == (True, "Season wanted is made.")
    assert job.started_at is not None
    assert job.finished_at is not None
    assert run() is None


def test_jobs_are_done_in_the_order_in_which_they_were_asked_for(database: str) -> None:
    first, second = wait("first"), wait("second")
    assert [run(), run(), run()] == [first.id, second.id, None]


def test_a_worker_does_only_its_own_kinds(database: str) -> None:
    wait()
    assert run_next_job(["another_kind"]) is None
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("members", "member"),
    [
        ({"slug": "No"}, "slug"),
        ({"name": ""}, "name"),
        ({"cutoff_at": START}, "cutoff_at"),
        ({"grace_seconds": -1}, "grace_seconds"),
        ({"score_min": -1}, "score_min"),
        ({"score_max": 2_000_000_000}, "score_max"),
        ({"score_min": 9, "score_max": 9}, "score_max"),
        ({"late_policy": "next"}, "late_policy"),
        ({"tie_rule": "latest"}, "tie_rule"),
        ({"order": "up"}, "order"),
        ({"keep": "first"}, "keep"),
        ({"regions": ("EU", "EU")}, "regions"),
    ],
    ids=str,
)
def test_each_fault_of_the_rules_stands_at_its_member(
    shared: str, members: dict[str, Any], member: str
) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        request_season(rules()._replace(**members), requested_by=person("operator"))
    assert f"/{member}" in {fault.pointer for fault in refusal.value.faults}
    assert not Job.objects.exists()


def test_a_slug_in_use_is_refused_at_once(season: str) -> None:
    with pytest.raises(SeasonExists):
        wait("season")


def test_a_slug_that_came_into_use_meanwhile_fails_the_job_clearly(database: str) -> None:
    first, second = wait("same"), wait("same")
    Job.objects.filter(id=second.id).update(requested_at=datetime.now(UTC) + timedelta(days=2))
    assert [run(), run()] == [first.id, second.id]
    second.refresh_from_db()
    assert (second.succeeded, second.outcome) == (False, SeasonExists().detail)


def test_what_fails_says_so_and_the_next_job_is_done(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: Any) -> Any:
        raise RuntimeError("secret detail")

    job = wait("first")
    monkeypatch.setitem(KINDS, CREATE_SEASON, break_down)
    run()
    monkeypatch.undo()
    job.refresh_from_db()
    assert (job.succeeded, job.outcome) == (False, "It failed; the log of the worker says why.")
    wait("second")
    run()
    assert Season.objects.get().slug == "second"


def test_a_job_whose_worker_was_killed_is_done_by_another_one(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = wait()

    def be_killed(*_: Any) -> Any:
        raise SystemExit

    monkeypatch.setitem(KINDS, CREATE_SEASON, be_killed)
    with pytest.raises(SystemExit):
        run()
    monkeypatch.undo()
    assert run() is None, "its worker may still be at work"
    assert run(given_up_seconds=0) == job.id
    job.refresh_from_db()
    assert job.succeeded is True


def test_a_job_that_was_done_before_its_worker_was_killed_succeeds_again(database: str) -> None:
    job = wait()
    run()
    Job.objects.filter(id=job.id).update(finished_at=None, succeeded=None)
    assert run(given_up_seconds=0) == job.id
    job.refresh_from_db()
    assert job.succeeded is True
    assert Season.objects.count() == 1


@pytest.mark.race
def test_two_workers_never_do_the_same_job(database: str) -> None:
    wanted = [wait(f"season-{number}").id for number in range(6)]
    done = together(*[lambda: [run(), run(), run()]] * 3)
    flat = [job for one in done for job in one if job is not None]
    assert sorted(flat) == sorted(set(flat))
    while run() is not None:
        pass
    assert set(Job.objects.filter(succeeded=True).values_list("id", flat=True)) == set(wanted)


def test_final_and_verification_are_asked_for_by_name(season: str) -> None:
    who = person("operator")
    final = request_final(season, requested_by=who, reason="all in")
    check = request_verification(season, requested_by=who)
    assert (final.kind, final.arguments) == (
        "finalize_season",
        {"slug": season, "reason": "all in"},
    )
    assert (check.kind, check.arguments) == ("verify_season", {"slug": season})
    for ask in (
        request_verification,
        lambda slug, **_: request_final(slug, requested_by=who, reason=""),
    ):
        with pytest.raises(SeasonNotFound):
            ask("nowhere", requested_by=who)


def test_beat_starts_every_kind_of_job_on_one_queue(database: str) -> None:
    entries = {
        name: entry
        for name, entry in app.conf.beat_schedule.items()
        if entry["task"] == "leaderboard.tasks.run_jobs"
    }
    assert {name: entry["options"]["queue"] for name, entry in entries.items()} == {
        "jobs": "default", "slow-jobs": "slow",
    }  # fmt: skip
    started = [kind for entry in entries.values() for kind in entry["args"][0]]
    assert sorted(started) == sorted(KINDS)
    wait("first")
    wait("second")
    tasks.run_jobs(*entries["jobs"]["args"])
    assert Season.objects.count() == 2
