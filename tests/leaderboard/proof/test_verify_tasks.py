"""What beat starts: samples of open seasons all day, the whole of each at night."""

import logging
from typing import Any

import psycopg
import pytest
from django.conf import settings

from config.celery import app
from leaderboard import tasks
from leaderboard.models import Verification
from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published
from seasons.models import Season
from tests.api import get
from tests.factories import board, make_final, make_season

Superuser = psycopg.Connection[Any]
SCORE = "UPDATE scores_best SET score = score + %s WHERE namespace = %s AND player_id = 'ann'"


@pytest.fixture
def _at_once() -> Any:
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


def alter(superuser: Superuser, slug: str, by: int) -> None:
    superuser.execute(SCORE, [by, published(slug).namespace])


def problems() -> dict[str, str]:
    degraded = get("/readyz").json()["degraded"]
    return {one["season_id"]: one["problem"] for one in degraded}


@pytest.mark.parametrize("scope", ["sample", "whole"])
@pytest.mark.usefixtures("_at_once", "database")
def test_every_open_season_is_verified(scope: str) -> None:
    for slug in ("one", "two", "final"):
        make_season(slug, score_max=999)
        board(slug, ann=10)
    make_final("final")
    tasks.verify_seasons(scope, 60.0)
    found = Verification.objects.values_list("season__slug", "scope", "agrees")
    assert sorted(found) == [("one", scope, True), ("two", scope, True)]


@pytest.mark.usefixtures("_at_once", "database")
def test_a_difference_is_logged_and_shown_until_a_whole_verification_agrees(
    superuser: Superuser, caplog: pytest.LogCaptureFixture
) -> None:
    make_season("season", score_max=999)
    board("season", ann=10, bob=20)
    season_id = Season.objects.get().id
    tasks.verify_season(season_id, "sample")
    assert "season" not in problems()
    alter(superuser, "season", 1)
    with caplog.at_level(logging.ERROR):
        tasks.verify_season(season_id, "sample")
    assert "season=season version=2 is not what its ledger says: bests" in caplog.text
    assert problems()["season"] == "differs_from_ledger"
    alter(superuser, "season", -1)
    tasks.verify_season(season_id, "sample")
    assert problems()["season"] == "differs_from_ledger"
    tasks.verify_season(season_id, "whole")
    assert "season" not in problems()


@pytest.mark.usefixtures("database")
def test_the_difference_of_a_final_season_is_not_a_matter_of_serving(
    superuser: Superuser,
) -> None:
    make_season("season", score_max=999)
    board("season", ann=10)
    make_final("season")
    alter(superuser, "season", 1)
    assert verify_season("season").agrees is False
    assert "season" not in problems()


def test_what_takes_long_waits_on_a_queue_of_its_own() -> None:
    schedule: Any = settings.CELERY_BEAT_SCHEDULE
    assert schedule["verify-nightly"]["options"]["queue"] == "slow"
    assert schedule["verify-samples"]["schedule"] == 60.0
    assert schedule["publish"]["options"]["queue"] == "publish"


@pytest.mark.usefixtures("_at_once", "database")
def test_a_season_without_a_version_is_passed_over(superuser: Superuser) -> None:
    make_season("season", score_max=999)
    superuser.execute("DELETE FROM leaderboard_current")
    tasks.verify_season(Season.objects.get().id, "whole")
    assert not Verification.objects.exists()


@pytest.mark.usefixtures("database")
def test_samples_that_agreed_are_kept_for_a_day(superuser: Superuser) -> None:
    make_season("season", score_max=999)
    board("season", ann=10)
    old = [verify_season("season", scope=scope).id for scope in ("sample", "whole")]
    superuser.execute("UPDATE leaderboard_verification SET started_at = now() - interval '2 days'")
    new = verify_season("season", scope="sample").id
    assert sorted(Verification.objects.values_list("id", flat=True)) == [old[1], new]
