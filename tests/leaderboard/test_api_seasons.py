"""The seasons through HTTP, and whether the server is ready."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config import environment
from seasons.models import Season
from tests.api import get, problem
from tests.factories import board, make_season, publish


def test_a_season_tells_its_rules_and_its_state(season: str) -> None:
    number = board(season, ann=10).number
    body = get("/v1/seasons/season").json()
    assert list(body) == [
        "season_id",
        "name",
        "status",
        "starts_at",
        "cutoff_at",
        "grace_seconds",
        "late_policy",
        "tie_rule",
        "order",
        "keep",
        "score_min",
        "score_max",
        "regions",
        "current_version",
        "as_of",
        "final_version",
        "corrected_versions",
        "settlements",
        "promise_kept",
    ]
    assert (body["status"], body["current_version"], body["promise_kept"]) == (
        "open",
        number,
        True,
    )
    assert (body["final_version"], body["corrected_versions"]) == (None, [])
    assert len(body["starts_at"]) == len(body["as_of"]) == 27


def test_the_state_follows_the_clock(database: str) -> None:
    now = datetime.now(UTC)
    hour = timedelta(hours=1)
    make_season("soon", starts_at=now + hour, cutoff_at=now + 2 * hour)
    make_season("over", starts_at=now - 2 * hour, cutoff_at=now - hour)
    make_season("done", starts_at=now - 2 * hour, cutoff_at=now - hour)
    Season.objects.filter(slug="done").update(final_version=1)
    states = {s["season_id"]: s["status"] for s in get("/v1/seasons").json()["seasons"]}
    assert states == {"soon": "scheduled", "over": "closing", "done": "final"}
    assert get("/v1/seasons/done").json()["final_version"] == 1


def test_the_list_is_walked_page_by_page(database: str) -> None:
    slugs = ["a", "b-1", "b-2", "c", "d"]
    for slug in reversed(slugs):
        make_season(slug)
    found: list[str] = []
    address = "/v1/seasons?limit=2"
    while True:
        body = get(address).json()
        found += [season["season_id"] for season in body["seasons"]]
        if body["next"] is None:
            break
        address = f"/v1/seasons?limit=2&cursor={body['next']}"
    assert found == slugs
    problem(get("/v1/seasons?cursor=x"), 400, "invalid_cursor")


def test_no_seasons_are_an_empty_list(database: str) -> None:
    assert get("/v1/seasons").json() == {"seasons": [], "next": None}
    assert get("/readyz").status_code == 200


def test_an_unknown_season_is_not_found(database: str) -> None:
    problem(get("/v1/seasons/nothing"), 404, "season_not_found")
    problem(get("/v1/seasons/NO"), 400, "invalid_parameter")


def age(superuser: Any) -> None:
    superuser.execute("UPDATE leaderboard_current SET as_of = now() - interval '6 s'")


def test_a_promise_that_is_not_kept_is_said(season: str, superuser: Any) -> None:
    board(season, ann=10)
    age(superuser)
    assert get("/v1/seasons/season").json()["promise_kept"] is False


@pytest.fixture(autouse=True)
def _no_broker(settings: Any) -> None:
    settings.CELERY_BROKER_URL = environment.NO_BROKER


def problems() -> dict[str, str]:
    body = get("/readyz").json()
    found = {degraded["season_id"]: degraded["problem"] for degraded in body["degraded"]}
    assert found.pop(None) == "broker_missing"
    assert body["status"] == "degraded"
    return found


def test_readiness_names_each_season_that_is_behind_or_stopped(
    season: str, superuser: Any
) -> None:
    board(season, ann=10)
    assert problems() == {}
    age(superuser)
    assert problems() == {"season": "behind"}
    publish(season)
    assert problems() == {}
    superuser.execute(
        "INSERT INTO leaderboard_stop (season_id, failed_check, detail, stopped_at)"
        " SELECT id, 'membership', 'x', now() FROM seasons_season"
    )
    assert problems() == {"season": "stopped"}
    superuser.execute("UPDATE seasons_season SET bests_damaged_at = now()")
    assert problems() == {"season": "writes_stopped"}


def test_a_final_season_is_not_behind(season: str, superuser: Any) -> None:
    number = board(season, ann=10).number
    Season.objects.update(final_version=number)
    age(superuser)
    assert problems() == {}


def test_when_no_season_can_be_served_the_server_is_not_ready(season: str, superuser: Any) -> None:
    superuser.execute("DELETE FROM leaderboard_current")
    problem(get("/readyz"), 503, "unavailable")
    problem(get("/v1/seasons/season/leaderboard/top"), 503, "no_published_version")
    problem(get("/v1/seasons/season/players/ann/rank"), 503, "no_published_version")
    assert get("/v1/seasons/season").json()["current_version"] is None
    make_season("other")
    assert problems() == {"season": "no_published_version"}


def test_while_the_bests_are_lost_nothing_is_shown(season: str, superuser: Any) -> None:
    """The sentinel row is what tells lost bests from an empty board."""
    board(season, ann=10)
    superuser.execute("DELETE FROM scores_best")
    for route in ("players/ann/rank", "players/ann/neighbors", "leaderboard/page"):
        response = get(f"/v1/seasons/season/{route}")
        problem(response, 503, "no_published_version")
        assert response.headers["Retry-After"] == "1"
