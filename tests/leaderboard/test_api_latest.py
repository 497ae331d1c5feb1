"""Seasons that keep a player's latest score, through HTTP."""

from typing import Any

import pytest

from tests.api import BOARD, CORRECTIONS, PLAYERS, SCORES, correction, get, post, result, token
from tests.factories import make_season, move, publish


@pytest.fixture
def bearer(database: str) -> str:
    make_season("season", keep="latest", regions=("EU",))
    return token()


def send(bearer: str, number: int, player: str, score: int, version: int) -> tuple[Any, ...]:
    sent = result(number, player_id=player, best_score=score, score_version=version)
    receipt = post(SCORES, sent, bearer).json()
    return receipt["outcome"], receipt["best_score"], receipt["visible_in_version"] is not None


def top(query: str = "") -> list[tuple[int, str, int]]:
    publish("season")
    entries = get(f"{BOARD}/top{query}").json()["entries"]
    return [(entry["rank"], entry["player_id"], entry["score"]) for entry in entries]


def test_a_newer_result_replaces_the_score_also_by_a_lower_one(bearer: str) -> None:
    assert send(bearer, 1, "ann", 50, 1) == ("improved", 50, True)
    send(bearer, 2, "bob", 40, 1)
    assert top() == [(1, "ann", 50), (2, "bob", 40)]
    assert send(bearer, 3, "ann", 30, 2) == ("improved", 30, True)
    assert get(f"{PLAYERS}/ann/rank").json()["pending"]["score"] == 30
    assert top() == [(1, "bob", 40), (2, "ann", 30)]


def test_the_same_score_again_changes_nothing(bearer: str) -> None:
    send(bearer, 1, "ann", 50, 1)
    assert send(bearer, 2, "ann", 50, 2) == ("not_improved", 50, False)
    assert send(bearer, 3, "ann", 0, 3) == ("improved", 0, True)


def test_an_older_result_that_comes_late_is_stale(bearer: str) -> None:
    send(bearer, 1, "ann", 30, 5)
    assert send(bearer, 2, "ann", 90, 4) == ("stale_version", 30, False)
    assert top() == [(1, "ann", 30)]


def test_of_a_batch_the_newest_counts(bearer: str) -> None:
    events = [
        result(number, player_id="ann", best_score=score, score_version=version)
        for number, (score, version) in enumerate([(10, 3), (90, 1), (50, 2)], 1)
    ]
    found = post(SCORES, {"events": events}, bearer).json()["results"]
    assert [receipt["best_score"] for receipt in found] == [10, 90, 50]
    assert top() == [(1, "ann", 10)]


def test_a_correction_holds_until_the_next_result(bearer: str) -> None:
    send(bearer, 1, "ann", 50, 1)
    sent = correction(player_id="ann", corrected_score=80, score_version=2)
    assert post(CORRECTIONS, sent, bearer).json()["best_score"] == 80
    assert send(bearer, 2, "ann", 20, 3) == ("improved", 20, True)
    void = correction(2, player_id="ann", score_version=4, void_event_id="result-2")
    assert post(CORRECTIONS, void, bearer).json()["best_score"] == 80


def test_behind_a_removal_the_latest_is_kept_too(bearer: str) -> None:
    send(bearer, 1, "ann", 50, 1)
    post(CORRECTIONS, correction(player_id="ann", score_version=2), bearer)
    assert send(bearer, 2, "ann", 20, 3) == ("improved", 20, False)
    assert top() == []
    back = correction(2, player_id="ann", score_version=4, void_event_id="correction-1")
    assert post(CORRECTIONS, back, bearer).json()["best_score"] == 20


def test_pinned_versions_and_boards_of_regions_show_what_was_the_latest_then(
    bearer: str,
) -> None:
    move(ann="EU", bob="EU")
    send(bearer, 1, "ann", 50, 1)
    send(bearer, 2, "bob", 40, 1)
    version = publish("season").version
    send(bearer, 3, "ann", 30, 2)
    assert top("?region=EU") == [(1, "bob", 40), (2, "ann", 30)]
    assert top(f"?region=EU&version={version}") == [(1, "ann", 50), (2, "bob", 40)]


def test_the_detail_tells_what_is_kept(bearer: str) -> None:
    assert get("/v1/seasons/season").json()["keep"] == "latest"
