"""The change stream through HTTP."""

from typing import Any

import pytest

from leaderboard.operations import purge_versions
from seasons.models import Season
from tests.api import CHANGES, get, problem, token
from tests.factories import apply, board, correct, event, make_season, publish


@pytest.fixture
def bearer(season: str) -> str:
    return f"Bearer {token()}"


def changes(bearer: str, query: str = "") -> dict[str, Any]:
    response = get(f"{CHANGES}?{query}", authorization=bearer)
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def walk(bearer: str, query: str) -> list[dict[str, Any]]:
    body = changes(bearer, query)
    found: list[dict[str, Any]] = body["changes"]
    while body["changes"]:
        body = changes(bearer, f"{query}&after={body['next']}")
        found += body["changes"]
    return found


def test_a_change_says_what_happened(bearer: str, season: str) -> None:
    board(season, ann=10)
    correct(season, "ann", 2, corrected_score=3)
    correct(season, "ann", 3)
    number = board(season).number
    first, second, third = changes(bearer)["changes"]
    assert list(first) == [
        "season_id",
        "player_id",
        "old_score",
        "new_score",
        "score_version",
        "event_id",
        "kind",
        "region",
        "committed_at",
        "version",
    ]
    assert (first["old_score"], first["new_score"], first["kind"]) == (None, 10, "result")
    assert (second["old_score"], second["new_score"]) == (10, 3)
    assert (third["old_score"], third["new_score"], third["kind"]) == (3, None, "correction")
    assert (second["version"], third["version"]) == (number, number)


def test_a_walk_tells_each_change_once_and_goes_on_later(bearer: str, season: str) -> None:
    board(season, **{f"p{n}": n for n in range(10)})
    body = changes(bearer, "limit=4")
    found = body["changes"]
    board(season, late=5)
    while body["changes"]:
        body = changes(bearer, f"limit=4&after={body['next']}")
        found += body["changes"]
    assert sorted(change["player_id"] for change in found) == sorted(
        ["late", *(f"p{n}" for n in range(10))]
    )
    versions = [change["version"] for change in found]
    assert versions == sorted(versions)
    board(season, later=5)
    again = changes(bearer, f"after={body['next']}")["changes"]
    assert [change["player_id"] for change in again] == ["later"]


def test_what_is_not_published_is_not_told(bearer: str, season: str) -> None:
    apply(season, event("ann", 10))
    body = changes(bearer)
    assert body["changes"] == []
    publish(season)
    assert len(changes(bearer, f"after={body['next']}")["changes"]) == 1


def test_partitions_split_the_players(bearer: str, season: str) -> None:
    board(season, **{f"p{n}": n for n in range(40)})
    parts = [walk(bearer, f"limit=7&partition={k}&partitions=3") for k in range(3)]
    players = [{change["player_id"] for change in part} for part in parts]
    assert sum(map(len, players)) == len(set().union(*players)) == 40
    assert all(players)


def test_a_cursor_is_for_its_walk_only(bearer: str, season: str) -> None:
    board(season, ann=10)
    make_season("other")
    whole = changes(bearer)["next"]
    part = changes(bearer, "partition=0&partitions=2")["next"]
    other = CHANGES.replace("/season/", "/other/")
    for address in (
        f"{CHANGES}?partition=0&partitions=2&after={whole}",
        f"{CHANGES}?partition=1&partitions=2&after={part}",
        f"{CHANGES}?after={part}",
        f"{other}?after={whole}",
        f"{CHANGES}?after=x",
        f"{CHANGES}?after=",
    ):
        problem(get(address, authorization=bearer), 400, "invalid_cursor")


def test_what_stands_in_the_query_is_checked(bearer: str, season: str) -> None:
    wrong = ["limit=0", "limit=1001", "limit=007", "partition=0", "partitions=2"]
    wrong += ["partition=2&partitions=2", "partition=-1&partitions=2", "partitions=0&partition=0"]
    for query in wrong:
        problem(get(f"{CHANGES}?{query}", authorization=bearer), 400, "invalid_parameter")
    elsewhere = CHANGES.replace("/season/", "/elsewhere/")
    problem(get(elsewhere, authorization=bearer), 404, "season_not_found")


def test_after_a_purge_a_cursor_has_expired(bearer: str, season: str) -> None:
    start = changes(bearer)["next"]
    for score in range(1, 5):
        board(season, **{f"p{score}": score})
    season_id = Season.objects.get().id
    purge_versions(season_id, version_kept_seconds=0, changes_kept_seconds=0)
    reply = get(f"{CHANGES}?after={start}", authorization=bearer)
    body = problem(reply, 410, "cursor_expired")
    moved = f"{CHANGES}?after={body['relocated_cursor']}"
    assert get(moved, authorization=bearer).json()["changes"] == []
    number = board(season, later=9).number
    (change,) = get(moved, authorization=bearer).json()["changes"]
    assert body["current_version"] < change["version"] == number
