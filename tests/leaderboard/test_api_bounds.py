"""Reads and writes have bounds of their own: a storm of one leaves the other alone."""

from contextlib import ExitStack

from django.conf import settings

from config.http.gates import Gate
from leaderboard.api.known import READS
from scores.api.service import WRITES
from tests.api import BOARD, SCORES, get, post, problem, result, token
from tests.factories import board


def test_a_storm_of_writes_leaves_reads_alone(season: str) -> None:
    board(season, ann=10)
    bearer = token()
    with _full(WRITES, settings.WRITES_IN_FLIGHT):
        refused = post(SCORES, result(), bearer)
        assert get(f"{BOARD}/top").json()["total_players"] == 1
    problem(refused, 503, "unavailable")
    assert refused.headers["Retry-After"] == "1"
    assert post(SCORES, result(), bearer).status_code == 200


def test_a_storm_of_reads_leaves_writes_alone(season: str) -> None:
    board(season, ann=10)
    bearer = token()
    with _full(READS, settings.READS_IN_FLIGHT):
        refused = get("/v1/seasons")
        assert post(SCORES, result(), bearer).status_code == 200
    problem(refused, 503, "unavailable")
    assert get("/v1/seasons").status_code == 200


def test_who_has_no_token_takes_no_place_of_those_who_write(season: str) -> None:
    with _full(WRITES, settings.WRITES_IN_FLIGHT):
        problem(post(SCORES, result(), "wrong"), 401, "not_authenticated")


def test_the_bounds_leave_threads_free_for_both() -> None:
    others = settings.WAITING_REPLIES + settings.PUBLIC_BODIES
    reads = settings.READS_IN_FLIGHT + settings.READS_IN_LINE
    writes = settings.WRITES_IN_FLIGHT + settings.WRITES_IN_LINE
    assert reads + others < settings.WEB_THREADS
    assert writes + others < settings.WEB_THREADS


def _full(gate: Gate, places: int) -> ExitStack:
    """Return a block during which every place of a gate is taken."""
    held = ExitStack()
    for _ in range(places):
        held.enter_context(gate.entered())
    return held
