"""While the database is away every route says so, and goes on by itself afterwards."""

from django.conf import settings as configured

from tests.api import BOARD, CHANGES, SCORES, get, post, problem, result, token
from tests.factories import board
from tests.own_database import POOLED, use_database


def test_an_outage_is_a_503_and_passes(database: str, season: str) -> None:
    board(season, ann=10)
    bearer = token()
    timeouts = [configured.DATABASES[alias]["OPTIONS"]["pool"] for alias in POOLED]
    before = [pool["timeout"] for pool in timeouts]
    for pool in timeouts:
        pool["timeout"] = 0.2
    use_database(None)
    answers = [
        get(f"{BOARD}/top"),
        get("/v1/seasons"),
        get("/readyz"),
        get(CHANGES, authorization=f"Bearer {bearer}"),
        post(SCORES, result(), bearer),
        post(f"{BOARD}/lookup", {"player_ids": ["ann"]}),
    ]
    assert get("/livez").status_code == 200
    for pool, timeout in zip(timeouts, before, strict=True):
        pool["timeout"] = timeout
    use_database(database)
    for response in answers:
        body = problem(response, 503, "unavailable")
        assert response.headers["Retry-After"] == "1"
        assert "laurel_no_test_database" not in str(body)
    assert get(f"{BOARD}/top").json()["total_players"] == 1
    assert post(SCORES, result(), bearer).status_code == 200
