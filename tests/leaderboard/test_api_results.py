"""Results of final and corrected versions, and the reward runs that paid by them."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.models import Results, Settlement
from leaderboard.operations.take_checksum import take_checksum
from leaderboard.queries import results
from tests.api import faults, get, post, problem, token
from tests.factories import board, correct, make_final
from tests.oracle import display_order

RESULTS = "/internal/v1/seasons/season/results"
SETTLEMENTS = "/internal/v1/seasons/season/settlements"
SCORES = {"ann": 30, "bob": 20, "cid": 20, "dan": 10, "eve": 0}


@pytest.fixture
def final(season: str) -> int:
    """Give the test a final season, and return its version."""
    number = board(season, **SCORES).number
    make_final(season)
    assert number is not None
    return number


def read(query: str = "", **members: Any) -> Any:
    return get(f"{RESULTS}{query}", authorization=f"Bearer {token('results:read')}", **members)


def settle(body: object) -> Any:
    return post(SETTLEMENTS, body, token("settlements:write"))


def lines(scores: dict[str, int]) -> str:
    return "".join(
        f"{place},{rank},{player},{score}\n"
        for place, (rank, player, score) in enumerate(display_order(scores), 1)
    )


def sha256(scores: dict[str, int]) -> str:
    return hashlib.sha256(lines(scores).encode()).hexdigest()


def test_every_player_of_the_final_version_in_display_order(final: int) -> None:
    body = read().json()
    assert (body["leaderboard_version"], body["final"], body["corrects"]) == (final, True, None)
    assert (body["total_players"], body["next"]) == (5, None)
    shown = "".join(
        f"{row['position']},{row['rank']},{row['player_id']},{row['score']}\n"
        for row in body["entries"]
    )
    assert shown == lines(SCORES)
    assert body["checksum"] == {"algorithm": "sha256", "value": sha256(SCORES)}


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 1000])
def test_a_walk_meets_everybody_once_and_sees_one_checksum(final: int, limit: int) -> None:
    walked, checksums = [], set()
    cursor: str | None = ""
    while cursor is not None:
        body = read(f"?limit={limit}{cursor}").json()
        walked += [(row["position"], row["player_id"]) for row in body["entries"]]
        checksums.add(body["checksum"]["value"])
        cursor = body["next"] and f"&cursor={body['next']}"
    assert walked == list(enumerate(SCORES, 1))
    assert checksums == {sha256(SCORES)}


def test_before_final_there_are_none(season: str) -> None:
    board(season, **SCORES)
    problem(read(), 409, "not_final")
    problem(settle({"settlement_id": "s", "version": 2, "checksum": "0" * 64}), 409, "not_final")


def test_final_is_served_by_default_and_a_corrected_version_by_name(
    season: str, final: int
) -> None:
    correct(season, "ann", 2)
    corrected = board(season).number
    left = {player: score for player, score in SCORES.items() if player != "ann"}
    assert read().json()["checksum"]["value"] == sha256(SCORES)
    assert read("?version=final").json()["leaderboard_version"] == final
    body = read(f"?version={corrected}").json()
    assert (body["leaderboard_version"], body["final"], body["corrects"]) == (
        corrected, False, final,
    )  # fmt: skip
    assert body["checksum"]["value"] == sha256(left)
    assert [row["player_id"] for row in body["entries"]] == list(left)


def test_other_versions_have_no_results(season: str, final: int) -> None:
    problem(read("?version=1"), 409, "not_final")
    problem(read(f"?version={final + 1}"), 404, "version_unknown")
    problem(read("?version=x"), 400, "invalid_parameter")


def test_a_cursor_belongs_to_its_version(season: str, final: int) -> None:
    correct(season, "ann", 2)
    corrected = board(season).number
    cursor = read("?limit=2").json()["next"]
    problem(read(f"?cursor={cursor}&version={corrected}"), 400, "invalid_cursor")
    problem(read(f"?cursor={cursor}x"), 400, "invalid_cursor")
    assert read(f"?cursor={cursor}").json()["leaderboard_version"] == final
    assert read(f"?cursor={cursor}&version=final").json()["entries"][0]["position"] == 3


def test_only_services_that_may_read_results_see_them(final: int) -> None:
    problem(get(RESULTS), 401, "not_authenticated")
    other = f"Bearer {token('scores:apply')}"
    problem(get(RESULTS, authorization=other), 403, "forbidden")
    elsewhere = RESULTS.replace("season/results", "nowhere/results")
    bearer = f"Bearer {token('results:read')}"
    problem(get(elsewhere, authorization=bearer), 404, "season_not_found")


def test_the_checksum_is_taken_once_and_kept(season: str, final: int) -> None:
    first = take_checksum(season, final)
    assert first == (5, sha256(SCORES))
    assert take_checksum(season, final) == first
    assert Results.objects.get().sha256 == sha256(SCORES)
    assert read().json()["checksum"]["value"] == sha256(SCORES)


def test_that_of_a_large_board_is_left_to_the_worker(
    season: str, final: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.api.results.FEW_PLAYERS", 4)
    assert problem(read(), 503, "unavailable")
    take_checksum(season, final)
    assert read().json()["checksum"]["value"] == sha256(SCORES)


@given(sizes=st.lists(st.integers(1, 5), max_size=6))
def test_the_checksum_does_not_depend_on_the_pages(sizes: list[int]) -> None:
    players = [results.Ranked(place, place, f"p{place}", 0) for place in range(1, sum(sizes) + 1)]
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    pages = [players[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    assert results.checksum_of(pages) == results.checksum_of([players])


def test_a_reward_run_is_recorded_once(season: str, final: int) -> None:
    run = {"settlement_id": "run-1", "version": final, "checksum": sha256(SCORES)}
    first = settle(run)
    assert first.status_code == 200
    assert settle(run).json() == first.json()
    assert Settlement.objects.count() == 1
    assert get("/v1/seasons/season").json()["settlements"] == [first.json()]
    assert {name: first.json()[name] for name in run} == run


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        ({"checksum": "0" * 64}, 409, "settlement_conflict"),
        ({"version": 1}, 409, "not_final"),
        ({"version": 10**12}, 404, "version_unknown"),
    ],
)
def test_a_run_that_saw_something_else_is_refused(
    season: str, final: int, changed: dict[str, Any], status: int, code: str
) -> None:
    run = {"settlement_id": "run-1", "version": final, "checksum": sha256(SCORES)}
    problem(settle({**run, **changed}), status, code)
    assert not Settlement.objects.exists()


def test_one_id_cannot_have_paid_by_two_versions(season: str, final: int) -> None:
    run = {"settlement_id": "run-1", "version": final, "checksum": sha256(SCORES)}
    assert settle(run).status_code == 200
    correct(season, "ann", 2)
    corrected = board(season).number
    left = {player: score for player, score in SCORES.items() if player != "ann"}
    again = {**run, "version": corrected, "checksum": sha256(left)}
    problem(settle(again), 409, "settlement_conflict")
    assert settle({**again, "settlement_id": "run-2"}).json()["version"] == corrected


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"version": 2, "checksum": "0" * 64}, ("/settlement_id", "missing")),
        (
            {"settlement_id": "a b", "version": 2, "checksum": "0" * 64},
            ("/settlement_id", "pattern"),
        ),
        ({"settlement_id": "a", "version": "2", "checksum": "0" * 64}, ("/version", "type")),
        ({"settlement_id": "a", "version": 2, "checksum": "x"}, ("/checksum", "pattern")),
    ],
)
def test_what_is_wrong_with_a_run_is_told(
    final: int, body: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert faults(settle(body)) == [fault]
