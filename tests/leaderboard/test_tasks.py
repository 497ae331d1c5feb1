"""What beat starts: which seasons are published, and what a failed check does to others."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from config.celery import app
from leaderboard import operations, tasks
from leaderboard.models import Results, Stop, Version
from leaderboard.operations import seal_and_publish
from leaderboard.queries import published
from leaderboard.queries.live_seasons import live_seasons
from seasons.models import Season
from seasons.operations import close_season
from tests.api import client
from tests.factories import apply, board, correct, event, make_final, make_season


@pytest.fixture
def _at_once() -> Any:
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.mark.usefixtures("_at_once")
def test_every_season_that_has_begun_and_is_not_final_is_published(database: str) -> None:
    now = datetime.now(UTC)
    make_season("open")
    make_season("closing", cutoff_at=now - timedelta(minutes=5), grace_seconds=3600)
    make_season("scheduled", starts_at=now + timedelta(hours=1))
    make_season("final")
    apply("open", event("ann", 10))
    apply("closing", event("ann", 10, completed_at=now - timedelta(minutes=6)))
    make_final("final")
    before = {slug: published(slug) for slug in ("open", "closing", "scheduled", "final")}
    tasks.publish_seasons()
    after = {slug: published(slug) for slug in before}
    assert {slug: season.members for slug, season in after.items()} == {
        "open": [1], "closing": [1], "scheduled": [0], "final": [0],
    }  # fmt: skip
    assert after["final"].as_of == before["final"].as_of


def test_the_season_whose_version_is_oldest_comes_first(database: str) -> None:
    ids = {slug: make_season(slug).id for slug in ("first", "second", "third")}
    assert live_seasons() == list(ids.values())
    for slug in ("second", "first"):
        seal_and_publish(ids[slug])
    assert live_seasons() == [ids["third"], ids["second"], ids["first"]]


@pytest.mark.usefixtures("_at_once")
def test_a_final_season_is_published_again_when_it_was_corrected(database: str) -> None:
    make_season("season")
    board("season", ann=10)
    make_final("season")
    tasks.publish_seasons()
    final = published("season")
    assert correct("season", "bob", 2).visible_in_version is None
    tasks.publish_seasons()
    assert published("season").as_of == final.as_of
    correct("season", "ann", 2, corrected_score=4)
    tasks.publish_seasons()
    assert (published("season").number or 0) > (final.number or 0)
    kinds = Version.objects.filter(number__gte=final.number).order_by("number")
    assert list(kinds.values_list("kind", flat=True)) == ["regular", "corrected"]


@pytest.mark.usefixtures("_at_once")
def test_a_corrected_version_has_its_checksum_taken(database: str) -> None:
    make_season("season")
    final = board("season", ann=10, bob=5).number
    make_final("season")
    correct("season", "ann", 2, corrected_score=4)
    tasks.publish_seasons()
    tasks.take_checksums()
    corrected = published("season").number
    taken = {row.version: row.sha256 for row in Results.objects.all()}
    lines = "1,1,bob,5\n2,2,ann,4\n"
    assert corrected != final
    assert taken == {corrected: hashlib.sha256(lines.encode()).hexdigest()}
    assert app.conf.beat_schedule["checksums"]["task"] == tasks.take_checksums.name


@pytest.mark.usefixtures("_at_once")
def test_a_season_whose_check_fails_does_not_hold_up_the_others(
    database: str, superuser: psycopg.Connection[Any]
) -> None:
    for slug in ("first", "second"):
        make_season(slug)
        apply(slug, event("ann", 10))
    superuser.execute(
        "UPDATE scores_tally SET events = 9 WHERE namespace = %s",
        [Season.objects.get(slug="first").namespace],
    )
    tasks.publish_seasons()
    assert published("first").members == [0]
    assert published("second").members == [1]
    assert [stop.season_id for stop in Stop.objects.all()] == [Season.objects.get(slug="first").id]


def test_a_publication_that_comes_twice_or_late_is_harmless(season: str) -> None:
    apply(season, event("ann", 10))
    season_id = Season.objects.get(slug=season).id
    for _ in range(3):
        tasks.publish_season(season_id)
    assert (published(season).number, published(season).members) == (2, [1])


@pytest.mark.usefixtures("_at_once")
def test_every_season_is_purged_the_final_ones_less_often(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    purged: list[int] = []
    monkeypatch.setattr("leaderboard.operations.purge_versions", purged.append)
    seasons = [make_season(slug).id for slug in ("first", "second", "final")]
    make_final("final")
    tasks.purge_seasons()
    assert purged == seasons[:2]
    tasks.purge_seasons(final=True)
    assert purged == seasons
    often, seldom = (app.conf.beat_schedule[name] for name in ("purge", "purge-final"))
    assert (often["task"], often.get("kwargs")) == (tasks.purge_seasons.name, None)
    assert (seldom["task"], seldom["kwargs"]) == (tasks.purge_seasons.name, {"final": True})
    assert often["schedule"] < seldom["schedule"]


def test_beat_publishes_every_second_on_a_queue_of_its_own() -> None:
    schedule = app.conf.beat_schedule["publish"]
    assert schedule["schedule"] == 1.0
    assert schedule["options"]["queue"] == "publish"
    route = app.amqp.router.route({}, "leaderboard.tasks.publish_season")
    assert route["queue"].name == "publish"
    assert app.conf.beat_schedule["purge"]["options"]["queue"] == "default"


def test_a_season_whose_check_fails_does_not_keep_others_from_being_final(
    database: str, superuser: psycopg.Connection[Any]
) -> None:
    for slug in ("first", "second"):
        make_season(slug, grace_seconds=0)
        apply(slug, event("ann", 10))
        close_season(slug, actor="eve", reason="over")
    superuser.execute(
        "UPDATE scores_tally SET events = 9 WHERE namespace = %s",
        [Season.objects.get(slug="first").namespace],
    )
    tasks.finalize_seasons()
    assert [published(slug).status for slug in ("first", "second")] == ["closing", "final"]


def test_a_season_that_cannot_become_final_keeps_no_other_waiting(
    database: str, monkeypatch: Any, caplog: Any
) -> None:
    ended = {"cutoff_at": datetime.now(UTC) - timedelta(minutes=40), "grace_seconds": 1}
    for slug in ("broken", "sound"):
        make_season(slug, starts_at=datetime.now(UTC) - timedelta(days=1), **ended)
    finalize = operations.finalize_season

    def broken(slug: str, **by: str) -> Any:
        if slug == "broken":
            raise ZeroDivisionError
        return finalize(slug, **by)

    monkeypatch.setattr(operations, "finalize_season", broken)
    tasks.finalize_seasons()
    assert published("sound").final_version is not None
    assert "is not final yet" in caplog.text
    assert "ZeroDivisionError" in caplog.text
    for slug in ("broken", "sound"):
        seal_and_publish(Season.objects.get(slug=slug).id)
    told = json.loads(client.get("/readyz").content)["degraded"]
    assert [(one["season_id"], one["problem"]) for one in told if one["season_id"]] == [
        ("broken", "not_final")
    ]
    assert "40 minutes" in told[0]["detail"]
