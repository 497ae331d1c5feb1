"""Walking a board through HTTP: both ways, from anywhere, and never a mixture."""

import random
from typing import Any

import pytest

from leaderboard.operations import purge_versions
from leaderboard.queries import Published
from seasons.models import Season
from tests.api import BOARD, PLAYERS, get, problem
from tests.factories import board, make_season
from tests.own_database import Once

PAGE = f"{BOARD}/page"


def crowd(size: int, seed: int = 1) -> dict[str, int]:
    """Return players with few distinct scores, so that ties are long."""
    chance = random.Random(seed)
    return {f"p{place:03}": chance.randrange(8) for place in range(size)}


def in_order(scores: dict[str, int]) -> list[tuple[int, int, str]]:
    """Return what every walk must show: rank, position, player."""
    players = sorted(scores, key=lambda player: (-scores[player], player))
    return [
        (1 + sum(other > scores[player] for other in scores.values()), position, player)
        for position, player in enumerate(players, 1)
    ]


def play(**scores: int) -> Published:
    """Play a season with these scores."""
    return board(make_season("season").slug, **scores)


def shown(page: dict[str, Any]) -> list[tuple[int, int | None, str]]:
    return [(entry["rank"], entry["position"], entry["player_id"]) for entry in page["entries"]]


def page(query: str = "") -> dict[str, Any]:
    response = get(f"{PAGE}?{query}")
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def walk(start: dict[str, Any], way: str, limit: int) -> list[dict[str, Any]]:
    pages = [start]
    while pages[-1][way] is not None:
        pages.append(page(f"limit={limit}&cursor={pages[-1][way]}"))
    return pages


@pytest.mark.parametrize("limit", [1, 7, 10, 100])
def test_a_walk_shows_everybody_once_and_back_again_the_same_pages(once: Once, limit: int) -> None:
    scores = crowd(30)
    once(play, **scores)
    there = walk(page(f"limit={limit}"), "next", limit)
    assert [row for body in there for row in shown(body)] == in_order(scores)
    assert there[0]["previous"] is None
    back = walk(there[-1], "previous", limit)
    assert list(map(shown, reversed(back))) == list(map(shown, there))


def test_a_tie_over_several_pages_has_one_rank(once: Once) -> None:
    once(play, **{f"p{place:03}": 7 for place in range(250)})
    pages = walk(page(), "next", 100)
    rows = [row for body in pages for row in shown(body)]
    assert [len(body["entries"]) for body in pages] == [100, 100, 50]
    assert {rank for rank, _, _ in rows} == {1}
    assert len({player for _, _, player in rows}) == 250


def test_a_walk_stays_in_its_version(season: str) -> None:
    scores = crowd(30)
    number = board(season, **scores).number
    first = page("limit=10")
    board(season, **{f"new{place}": 900 for place in range(5)})
    pages = walk(first, "next", 10)
    assert [row for body in pages for row in shown(body)] == in_order(scores)
    assert {body["leaderboard_version"] for body in pages} == {number}
    assert {body["total_players"] for body in pages} == {30}
    assert {body["age_seconds"] for body in pages[1:]} == {None}


def test_a_cursor_of_an_expired_version_leads_to_the_same_place_of_the_current(
    season: str,
) -> None:
    scores = crowd(30)
    board(season, **scores)
    first = page("limit=10")
    second = page(f"limit=10&cursor={first['next']}")
    current = board(season, **{f"new{place}": 900 for place in range(5)}).number
    purge_versions(Season.objects.get().id, version_kept_seconds=0)
    gone = problem(get(f"{PAGE}?limit=10&cursor={first['next']}"), 410, "version_expired")
    assert gone["current_version"] == current
    moved = page(f"limit=10&cursor={gone['relocated_cursor']}")
    assert moved["leaderboard_version"] == current
    assert [row[0] for row in shown(moved)] == [row[0] + 5 for row in shown(second)]
    assert [row[1] for row in shown(moved)] == [None] * 10
    assert [row[2] for row in shown(moved)] == [row[2] for row in shown(second)]
    following = page(f"limit=10&cursor={moved['next']}")
    assert {row[1] for row in shown(following)} == {None}
    problem(get(f"{PAGE}?version={first['leaderboard_version']}"), 410, "version_expired")


def test_a_page_begins_at_a_score(once: Once) -> None:
    scores = crowd(40)
    once(play, **scores)
    everybody = in_order(scores)
    for score in (0, 3, 7, 8, 1_000_000):
        body = page(f"limit=5&at_score={score}")
        wanted = [row for row in everybody if scores[row[2]] <= score]
        assert shown(body) == wanted[:5]
        before = [row for row in everybody if scores[row[2]] > score]
        if before:
            previous = page(f"limit=5&cursor={body['previous']}")
            assert shown(previous) == before[-5:]
        else:
            assert body["previous"] is None


def test_below_the_lowest_score_stands_nobody_and_the_way_back_is_known(once: Once) -> None:
    once(play, ann=10, bob=7)
    body = page("at_score=3")
    assert (body["entries"], body["next"]) == ([], None)
    assert shown(page(f"cursor={body['previous']}")) == [(1, 1, "ann"), (2, 2, "bob")]
    assert page(f"cursor={body['previous']}")["next"] is None


def test_an_empty_board_has_no_other_pages(untouched: str) -> None:
    for query in ("", "at_score=3"):
        body = page(query)
        assert (body["entries"], body["next"], body["previous"]) == ([], None, None)


def test_a_page_is_opened_around_a_player(once: Once) -> None:
    scores = crowd(40)
    once(play, **scores)
    everybody = in_order(scores)
    for place in (0, 1, 5, 20, 38, 39):
        rank, _, player = everybody[place]
        body = page(f"limit=9&around_player={player}")
        found = shown(body)
        assert (rank, None, player) in found
        assert len(found) == 9
        first = next(n for n, row in enumerate(everybody) if row[2] == found[0][2])
        assert [row[2] for row in found] == [row[2] for row in everybody[first : first + 9]]
        if 5 <= place <= 34:
            assert found[4][2] == player
        there = walk(body, "next", 9)
        assert [row[2] for part in there for row in shown(part)] == [
            row[2] for row in everybody[first:]
        ]
    problem(get(f"{PAGE}?around_player=nobody"), 404, "player_not_ranked")


def test_a_cursor_is_for_its_season_and_version_only(season: str) -> None:
    old = board(season, **crowd(30)).current
    make_season("other")
    cursor = page("limit=10")["next"]
    other = PAGE.replace("/season/", "/other/")
    problem(get(f"{other}?cursor={cursor}"), 400, "invalid_cursor")
    problem(get(f"{PAGE}?cursor={cursor}&version={old + 1}"), 400, "invalid_cursor")
    problem(get(f"{PAGE}?cursor={cursor}&version=final"), 400, "invalid_cursor")
    problem(get(f"{PAGE}?cursor={cursor}&min_version={old + 1}"), 409, "not_published_yet")
    assert get(f"{PAGE}?cursor={cursor}&version={old}&min_version={old}").status_code == 200
    for place in range(0, len(cursor), 7):
        letter = "A" if cursor[place] != "A" else "B"
        tampered = cursor[:place] + letter + cursor[place + 1 :]
        problem(get(f"{PAGE}?cursor={tampered}"), 400, "invalid_cursor")
    for wrong in ("", "x", "%F0%9F%98%80", "A" * 5_000, cursor + "=", cursor + "%20"):
        problem(get(f"{PAGE}?cursor={wrong}"), 400, "invalid_cursor")


def test_a_page_begins_at_one_place_only(once: Once) -> None:
    once(play, ann=10)
    for query in ("cursor=x&at_score=1", "at_score=1&around_player=ann", "cursor=x&cursor=y"):
        problem(get(f"{PAGE}?{query}"), 400, "invalid_parameter")
    for wrong in ("-1", "x", "1.0", str(10**9 + 1), "1" + "0" * 30, ""):
        problem(get(f"{PAGE}?at_score={wrong}"), 400, "invalid_parameter")
    problem(get(f"{PAGE}?around_player=a%2Fb"), 400, "invalid_parameter")


def test_a_page_and_a_rank_of_one_version_agree(once: Once) -> None:
    number = once(play, **crowd(30)).number
    for rank, _, player in shown(page(f"version={number}&limit=30")):
        body = get(f"{PLAYERS}/{player}/rank?version={number}").json()
        assert body["rank"] == rank
