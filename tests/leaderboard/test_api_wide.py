"""A season with scores up to a thousand million, through HTTP, either way round."""

from typing import Any

import pytest

from tests.api import BOARD, PLAYERS, SCORES, faults, get, post, result, token
from tests.factories import board, make_final, make_season
from tests.oracle import display_order
from tests.own_database import Once

HIGHEST = 1_000_000_000
ON_BOARD = {"ann": HIGHEST, "bob": HIGHEST - 1, "cid": 1, "dan": 0, "eve": 0, "fay": 7_000_000}


def play(order: str) -> str:
    make_season("season", score_max=HIGHEST, order=order)
    board("season", **ON_BOARD)
    return order


@pytest.fixture(params=["desc", "asc"])
def order(request: pytest.FixtureRequest, once: Once) -> str:
    """Let the test read a season of either order."""
    return once(play, request.param)


@pytest.fixture(params=["desc", "asc"])
def order_of_its_own(request: pytest.FixtureRequest, database: str) -> str:
    """Give the test such a season of its own."""
    return play(request.param)


def expected(order: str) -> list[tuple[int, str, int]]:
    sign = 1 if order == "desc" else -1
    turned = {player: sign * score for player, score in ON_BOARD.items()}
    return [(rank, player, sign * score) for rank, player, score in display_order(turned)]


def rows(entries: list[dict[str, Any]]) -> list[tuple[int, str, int]]:
    return [(entry["rank"], entry["player_id"], entry["score"]) for entry in entries]


def test_every_score_of_the_range_has_its_rank(order: str) -> None:
    assert rows(get(f"{BOARD}/top").json()["entries"]) == expected(order)
    for row in expected(order):
        assert rows([get(f"{PLAYERS}/{row[1]}/rank").json()]) == [row]


@pytest.mark.parametrize("score", [0, 1, 2, 7_000_000, HIGHEST - 1, HIGHEST])
def test_pages_and_places_of_scores_know_the_whole_range(order: str, score: int) -> None:
    better = [row for row in expected(order) if (row[2] > score) == (order == "desc")]
    better = [row for row in better if row[2] != score]
    body = get(f"{BOARD}/page?at_score={score}").json()
    assert rows(body["entries"]) == expected(order)[len(better) :]
    body = get(f"{BOARD}/rank-of?score={score}").json()
    tied = sum(row[2] == score for row in expected(order))
    assert (body["rank"], body["players_below"]) == (1 + len(better), 6 - len(better) - tied)


@pytest.mark.parametrize("buckets", [1, 3, 200])
def test_a_distribution_covers_the_whole_range(order: str, buckets: int) -> None:
    body = get(f"{BOARD}/distribution?buckets={buckets}").json()
    ranges = [(one["from"], one["to"]) for one in body["buckets"]]
    assert (ranges[0][0], ranges[-1][1], len(ranges)) == (0, HIGHEST, buckets)
    for (first, last), one in zip(ranges, body["buckets"], strict=True):
        assert one["count"] == sum(first <= score <= last for score in ON_BOARD.values())
    assert body["percentiles"]["p1"] == body["percentiles"]["p25"] == 0
    assert (body["percentiles"]["p50"], body["percentiles"]["p99"]) == (1, HIGHEST)


def test_results_have_them_too(order_of_its_own: str) -> None:
    make_final("season")
    bearer = f"Bearer {token('results:read')}"
    body = get("/internal/v1/seasons/season/results", authorization=bearer).json()
    assert rows(body["entries"]) == expected(order_of_its_own)


def test_the_range_has_an_end(order_of_its_own: str) -> None:
    for score in (HIGHEST + 1, 2**31, 10**30):
        wrong = faults(post(SCORES, result(best_score=score), token()))
        assert wrong == [("/best_score", "out_of_range")]
