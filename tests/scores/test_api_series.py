"""`POST …/series/{series_id}/scores:apply` through HTTP."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.http.times import show_time
from scores.models import Ledger
from seasons.models import Series
from tests.api import faults, post, problem, result, token
from tests.series import ALL_TIME, DAILY, make_series, seasons_of

ADDRESS = "/internal/v1/series/ladder/scores:apply"
DAY = timedelta(days=1)


@pytest.fixture
def bearer(database: str) -> str:
    """Make the series `ladder`, with days and all time, and return a token that may write."""
    make_series(slug="ladder", windows=(DAILY, ALL_TIME))
    return token()


def today() -> str:
    """Return the id of today's season."""
    return seasons_of(Series.objects.get(slug="ladder"))[0].slug


def test_a_single_result_is_answered_alone(bearer: str) -> None:
    body = post(ADDRESS, result(1), bearer).json()
    members = {
        "event_id": "result-1",
        "player_id": "player-1",
        "outcome": "improved",
        "replayed": False,
        "best_score": 100,
        "score_version": 1,
    }
    assert [one.pop("visible_in_version") >= 2 for one in body["seasons"]] == [True, True]
    assert body == {
        "event_id": "result-1",
        "player_id": "player-1",
        "outcome": "recorded",
        "seasons": [
            {"season_id": today(), **members},
            {"season_id": "ladder-all-time", **members},
        ],
    }


def test_a_batch_is_answered_in_its_order(bearer: str) -> None:
    old = result(2, completed_at=show_time(datetime.now(UTC) - 9 * DAY))
    body = post(ADDRESS, {"events": [result(1), old, result(1, best_score=7)]}, bearer).json()
    assert list(body) == ["series_id", "results"]
    assert body["series_id"] == "ladder"
    shown = [
        (one["event_id"], one["outcome"], [season["season_id"] for season in one["seasons"]])
        for one in body["results"]
    ]
    assert shown == [
        ("result-1", "recorded", [today(), "ladder-all-time"]),
        ("result-2", "recorded", ["ladder-all-time"]),
        ("result-1", "conflict", []),
    ]


def test_a_single_conflict_is_refused(bearer: str) -> None:
    post(ADDRESS, result(1), bearer)
    problem(post(ADDRESS, result(1, best_score=7), bearer), 409, "event_conflict")


def test_a_single_result_of_no_open_season_says_so(database: str) -> None:
    make_series(slug="ladder", starts_at=datetime.now(UTC) + DAY)
    answer = post(ADDRESS, result(1), token())
    assert answer.status_code == 200
    assert answer.json() == {
        "event_id": "result-1",
        "player_id": "player-1",
        "outcome": "no_open_season",
        "seasons": [],
    }


@pytest.mark.parametrize(
    "body",
    [
        result(1, best_score=1_000_001),
        {"events": [result(1), result(2, best_score=-1)]},
        result(1, completed_at="2999-01-01T00:00:00Z"),
        result(1, best_score=1.5),
        result(1) | {"more": 1},
        {"events": []},
    ],
    ids=["too high", "too low in a batch", "in the future", "no integer", "unknown", "empty"],
)
def test_the_faults_of_a_body_are_those_of_a_season(bearer: str, body: dict[str, Any]) -> None:
    in_season = post(f"/internal/v1/seasons/{today()}/scores:apply", body, bearer)
    assert faults(post(ADDRESS, body, bearer)) == faults(in_season) != []
    assert not Ledger.objects.exists()


def test_who_may_not_write_and_what_is_not_there(bearer: str) -> None:
    problem(post(ADDRESS, result(1)), 401, "not_authenticated")
    problem(post(ADDRESS, result(1), token("changes:read")), 403, "forbidden")
    nowhere = ADDRESS.replace("ladder", "nowhere")
    problem(post(nowhere, result(1), bearer), 404, "series_not_found")
    problem(post(nowhere, result(1, best_score=-1), bearer), 404, "series_not_found")
    problem(post(ADDRESS.replace("ladder", "NO"), result(1), bearer), 400, "invalid_parameter")
