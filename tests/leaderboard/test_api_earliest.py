"""Seasons in which the earlier of two equal scores is ahead, through HTTP."""

import hashlib
import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.http.times import show_time
from leaderboard.operations import finalize_season
from scores.operations import release_held, set_friends
from scores.rules import friend_list
from seasons.operations import close_season
from tests.api import (
    BOARD,
    CORRECTIONS,
    PLAYERS,
    SCORES,
    correction,
    get,
    post,
    result,
    token,
)
from tests.factories import board, make_final, make_season, move, publish

RESULTS = "/internal/v1/seasons/season/results"
NOON = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=30)
numbers = itertools.count(1)


@pytest.fixture
def bearer(database: str) -> str:
    make_season("season", tie_rule="earliest", regions=("EU",), grace_seconds=0)
    return token("scores:apply", "scores:correct", "results:read")


def at(seconds: float) -> str:
    return show_time(NOON + timedelta(seconds=seconds))


def play(bearer: str, *results: tuple[str, int, float]) -> None:
    """Deliver (player, score, second) one after the other, and publish."""
    for player, score, second in results:
        number = next(numbers)
        sent = result(
            number,
            player_id=player,
            best_score=score,
            score_version=number,
            completed_at=at(second),
        )
        assert post(SCORES, sent, bearer).status_code == 200
    publish("season")


def correct(bearer: str, player: str, **members: Any) -> dict[str, Any]:
    number = next(numbers)
    sent = correction(number, player_id=player, score_version=number, **members)
    response = post(CORRECTIONS, sent, bearer)
    assert response.status_code == 200, response.content
    publish("season")
    body: dict[str, Any] = response.json()
    return body


def shown(entries: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(one["rank"], one["player_id"], one["score"], one["achieved_at"]) for one in entries]


def top(query: str = "") -> list[tuple[Any, ...]]:
    return shown(get(f"{BOARD}/top{query}").json()["entries"])


def test_the_earlier_is_ahead_and_equal_times_share_a_rank(bearer: str) -> None:
    play(bearer, ("ann", 5, 20), ("bob", 5, 10), ("cid", 5, 10.000001), ("dan", 5, 10))
    play(bearer, ("eve", 6, 30), ("fay", 5, 10))
    expected = [
        (1, "eve", 6, at(30)),
        (2, "bob", 5, at(10)),
        (2, "dan", 5, at(10)),
        (2, "fay", 5, at(10)),
        (5, "cid", 5, at(10.000001)),
        (6, "ann", 5, at(20)),
    ]
    assert top() == expected
    assert shown(get(f"{BOARD}/page?limit=100").json()["entries"]) == expected
    assert shown(get(f"{BOARD}/page?at_score=5").json()["entries"]) == expected[1:]


def test_every_reply_with_entries_tells_the_time(bearer: str) -> None:
    play(bearer, ("ann", 5, 1), ("bob", 4, 2), ("cid", 3, 3))
    set_friends(friend_list("bob", ["ann"], 1))
    expected = [(1, "ann", 5, at(1)), (2, "bob", 4, at(2)), (3, "cid", 3, at(3))]
    around = get(f"{PLAYERS}/bob/neighbors").json()
    assert shown([*around["above"], around["player"], *around["below"]]) == expected
    assert shown([get(f"{PLAYERS}/bob/rank").json()]) == expected[1:2]
    looked_up = post(f"{BOARD}/lookup", {"player_ids": ["cid", "ann"]}).json()["entries"]
    assert shown(looked_up) == [expected[0], expected[2]]
    assert [one["group_rank"] for one in looked_up] == [1, 2]
    assert shown(get(f"{PLAYERS}/bob/friends").json()["entries"]) == expected[:2]
    make_final("season")
    results = get(RESULTS, authorization=f"Bearer {bearer}").json()
    assert shown(results["entries"]) == expected
    assert {reply["rank_method"] for reply in (around, results)} == {"competition_earliest"}


def test_only_the_time_of_the_score_counts(bearer: str) -> None:
    play(bearer, ("ann", 5, 10), ("ann", 5, 1), ("ann", 4, 0))
    assert top() == [(1, "ann", 5, at(10))]
    play(bearer, ("ann", 7, 3))
    assert top() == [(1, "ann", 7, at(3))]


def test_friends_with_equal_scores_and_times_share_their_rank_too(bearer: str) -> None:
    play(bearer, ("ann", 5, 1), ("bob", 5, 1), ("cid", 5, 2))
    body = post(f"{BOARD}/lookup", {"player_ids": ["cid", "ann", "bob"]}).json()
    assert [one["group_rank"] for one in body["entries"]] == [1, 1, 3]


def test_a_correction_keeps_the_time_unless_it_says_otherwise(bearer: str) -> None:
    play(bearer, ("ann", 5, 10), ("bob", 9, 20))
    correct(bearer, "bob", corrected_score=5)
    assert top() == [(1, "ann", 5, at(10)), (2, "bob", 5, at(20))]
    correct(bearer, "bob", corrected_score=5, achieved_at=at(7))
    assert top() == [(1, "bob", 5, at(7)), (2, "ann", 5, at(10))]


def test_a_score_whose_time_was_cleared_stands_behind_those_that_have_one(bearer: str) -> None:
    play(bearer, ("ann", 5, 10), ("bob", 5, 20), ("cid", 5, 30), ("dan", 4, 0))
    version = publish("season").version
    for player in ("ann", "cid"):
        correct(bearer, player, corrected_score=5, achieved_at=None)
    assert top() == [
        (1, "bob", 5, at(20)),
        (2, "ann", 5, None),
        (2, "cid", 5, None),
        (4, "dan", 4, at(0)),
    ]
    assert get(f"{PLAYERS}/cid/rank").json()["achieved_at"] is None
    assert top(f"?version={version}")[0] == (1, "ann", 5, at(10))
    play(bearer, ("ann", 6, 40))
    assert top()[0] == (1, "ann", 6, at(40))


def test_a_time_alone_moves_a_player_and_is_a_change_of_its_own(bearer: str) -> None:
    play(bearer, ("ann", 5, 10), ("bob", 5, 20))
    receipt = correct(bearer, "bob", corrected_score=5, achieved_at=at(1))
    assert receipt["visible_in_version"] is not None
    assert [row[1] for row in top()] == ["bob", "ann"]


def test_a_void_gives_the_time_of_before_back(bearer: str) -> None:
    play(bearer, ("ann", 5, 10), ("bob", 5, 20))
    number = next(numbers)
    play(bearer, ("bob", 8, 25))
    correct(bearer, "bob", void_event_id=f"result-{number + 1}")
    assert top() == [(1, "ann", 5, at(10)), (2, "bob", 5, at(20))]


def test_a_removed_player_returns_with_the_time_of_the_score(bearer: str) -> None:
    play(bearer, ("ann", 5, 10), ("bob", 5, 20))
    removal = correct(bearer, "ann")
    play(bearer, ("ann", 7, 40))
    assert top() == [(1, "bob", 5, at(20))]
    correct(bearer, "ann", void_event_id=removal["event_id"])
    assert top() == [(1, "ann", 7, at(40)), (2, "bob", 5, at(20))]


def test_a_board_of_a_region_goes_by_the_same_times(bearer: str) -> None:
    move(ann="EU", cid="EU", dan="EU")
    play(bearer, ("ann", 5, 20), ("bob", 5, 10), ("cid", 5, 5), ("dan", 5, 20))
    assert top("?region=EU") == [
        (1, "cid", 5, at(5)),
        (2, "ann", 5, at(20)),
        (2, "dan", 5, at(20)),
    ]


@pytest.mark.parametrize(
    ("score", "rank", "below"), [(6, 1, 5), (5, 4, 2), (4, 6, 0), (3, 6, 0), (0, 6, 0)]
)
def test_a_score_stands_where_it_would_if_it_were_achieved_now(
    bearer: str, score: int, rank: int, below: int
) -> None:
    play(bearer, ("ann", 5, 10), ("bob", 5, 20), ("cid", 5, 30), ("dan", 4, 0), ("eve", 5, 1))
    correct(bearer, "eve", corrected_score=5, achieved_at=None)
    body = get(f"{BOARD}/rank-of?score={score}").json()
    assert (body["rank"], body["players_below"]) == (rank, below)
    play(bearer, ("new", score, 60))
    assert get(f"{PLAYERS}/new/rank").json()["rank"] == rank


def test_the_season_says_its_rule(bearer: str) -> None:
    assert get("/v1/seasons/season").json()["tie_rule"] == "earliest"


def test_a_held_result_counts_with_the_time_that_it_came_with(database: str) -> None:
    make_season("season", tie_rule="earliest", late_policy="review")
    bearer = token("scores:apply", "scores:correct")
    play(bearer, ("ann", 5, 10), ("bob", 4, 1))
    close_season("season", actor="eve", reason="over")
    late = datetime.now(UTC)
    sent = result(player_id="bob", best_score=5, score_version=99, completed_at=show_time(late))
    assert post(SCORES, sent, bearer).json()["outcome"] == "late_held"
    release_held("season", "result-1", actor="eve", reason="a lost connection")
    publish("season")
    assert top() == [(1, "ann", 5, at(10)), (2, "bob", 5, show_time(late))]


def test_where_ties_are_shared_no_time_is_shown(season: str) -> None:
    board(season, ann=5, bob=5)
    set_friends(friend_list("ann", ["bob"], 1))
    around = get(f"{PLAYERS}/ann/neighbors").json()
    entries = [
        *get(f"{BOARD}/top").json()["entries"],
        *get(f"{BOARD}/page").json()["entries"],
        *around["below"],
        around["player"],
        get(f"{PLAYERS}/ann/rank").json(),
        *post(f"{BOARD}/lookup", {"player_ids": ["ann"]}).json()["entries"],
        *get(f"{PLAYERS}/ann/friends").json()["entries"],
    ]
    make_final(season)
    results = get(RESULTS, authorization=f"Bearer {token('results:read')}").json()
    assert not any("achieved_at" in entry for entry in [*entries, *results["entries"]])
    assert {around["rank_method"], results["rank_method"]} == {"competition"}


def test_a_season_of_this_kind_becomes_final(bearer: str) -> None:
    play(bearer, ("ann", 5, 10), ("bob", 5, 20), ("cid", 5, 10))
    close_season("season", actor="eve", reason="over")
    assert finalize_season("season", actor="eve", reason="over").outcome == "final"
    body = get(RESULTS, authorization=f"Bearer {bearer}").json()
    assert shown(body["entries"]) == [
        (1, "ann", 5, at(10)),
        (1, "cid", 5, at(10)),
        (3, "bob", 5, at(20)),
    ]
    lines = "1,1,ann,5\n2,1,cid,5\n3,3,bob,5\n"
    assert body["checksum"]["value"] == hashlib.sha256(lines.encode()).hexdigest()
