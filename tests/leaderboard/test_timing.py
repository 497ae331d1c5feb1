"""Requests are counted and timed, whichever way they are answered."""

from typing import Any
from unittest.mock import patch

from prometheus_client import REGISTRY

from config import wsgi
from leaderboard.front import FRONT
from tests.api import PLAYERS, client, get
from tests.factories import board, make_season
from tests.leaderboard.test_front import answered, asked
from tests.own_database import Once


def count(operation: str, status: int) -> float:
    labels = {"operation": operation, "status": str(status)}
    return REGISTRY.get_sample_value("laurel_request_seconds_count", labels) or 0.0


def play() -> None:
    make_season("season")
    board("season", ann=10)


def test_a_read_counts_once_ahead_of_django_and_once_through_it(once: Once) -> None:
    once(play)
    before = count("player_rank", 200)
    for front in (FRONT, None):
        with patch.object(wsgi, "_front", front):
            assert answered(asked("GET", f"{PLAYERS}/ann/rank")).status == "200 OK"
    assert count("player_rank", 200) == before + 2


def test_refusals_count_under_their_status(once: Once) -> None:
    once(play)
    for address, operation, status in (
        (f"{PLAYERS}/nobody/rank", "player_rank", 404),
        ("/v1/seasons/none/leaderboard/top", "leaderboard_top", 404),
        (f"{PLAYERS}/ann/neighbors?radius=0", "player_neighbors", 400),
    ):
        before = count(operation, status)
        get(address)
        assert count(operation, status) == before + 1
    before = count("PlayerRank", 405)
    client.delete(f"{PLAYERS}/ann/rank")
    assert count("PlayerRank", 405) == before + 1


def test_the_metrics_tell_it(once: Once) -> None:
    once(play)
    get(f"{PLAYERS}/ann/rank")
    page: Any = client.get("/metrics").content
    assert (
        b'laurel_request_seconds_bucket{le="0.001",operation="player_rank",status="200"}' in page
    )
