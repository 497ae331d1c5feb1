"""Boards of regions through HTTP: every read of one, its cursors, and who stands on which."""

from typing import Any

import pytest

from leaderboard.operations import purge_versions
from scores.operations import set_friends
from scores.rules import friend_list
from seasons.models import Season
from tests.api import (
    BOARD,
    CHANGES,
    PLAYERS,
    PROFILE,
    faults,
    get,
    post,
    problem,
    put,
    result,
    token,
)
from tests.api import SCORES as SCORES_OF_SEASON
from tests.factories import apply, board, correct, event, make_season, move, publish
from tests.oracle import Board, display_order
from tests.own_database import Once

REGIONS = ("EU", "NA")
# Eve's region is not one of the season's, dan has none.
HOMES = {
    "ann": "EU", "bob": "NA", "cid": "EU", "dan": None, "eve": "AS", "fay": "EU", "gus": "NA",
}  # fmt: skip
SCORES = {"ann": 50, "bob": 50, "cid": 50, "dan": 70, "eve": 60, "fay": 30, "gus": 50}

every_board = pytest.mark.parametrize("region", [None, *REGIONS])


def play() -> str:
    """Play a season with players in two regions, in others, and in none."""
    slug = make_season("season", regions=REGIONS).slug
    move(**HOMES)
    set_friends(friend_list("ann", [player for player in SCORES if player != "ann"], 1))
    board(slug, **SCORES)
    return slug


@pytest.fixture
def regional(once: Once) -> str:
    """Let the test read such a season."""
    return once(play)


@pytest.fixture
def going_on(database: str) -> str:
    """Give the test such a season of its own."""
    return play()


def scores_of(region: str | None) -> Board:
    return {player: SCORES[player] for player in SCORES if region in {None, HOMES[player]}}


def on(region: str | None, address: str) -> str:
    mark = "&" if "?" in address else "?"
    return address if region is None else f"{address}{mark}region={region}"


def read(region: str | None, address: str) -> dict[str, Any]:
    response = get(on(region, address))
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    assert body["region"] == region
    assert body["total_players"] == len(scores_of(region))
    return body


def rows(entries: list[dict[str, Any]]) -> list[tuple[int, str, int]]:
    return [(entry["rank"], entry["player_id"], entry["score"]) for entry in entries]


@every_board
def test_the_top_is_that_of_the_board(regional: str, region: str | None) -> None:
    entries = read(region, f"{BOARD}/top")["entries"]
    assert rows(entries) == display_order(scores_of(region))
    assert [entry["position"] for entry in entries] == list(range(1, len(entries) + 1))


@every_board
def test_a_player_has_the_rank_and_the_neighbours_of_the_board(
    regional: str, region: str | None
) -> None:
    expected = display_order(scores_of(region))
    for place, row in enumerate(expected):
        body = read(region, f"{PLAYERS}/{row[1]}/rank")
        assert (body["rank"], body["player_id"], body["score"]) == row
        body = read(region, f"{PLAYERS}/{row[1]}/neighbors?radius=1")
        assert rows(body["above"]) == expected[max(0, place - 1) : place]
        assert rows([body["player"]]) == [row]
        assert rows(body["below"]) == expected[place + 1 : place + 2]


@every_board
def test_pages_walk_the_board_both_ways(regional: str, region: str | None) -> None:
    expected = display_order(scores_of(region))
    there = [read(region, f"{BOARD}/page?limit=1")]
    while there[-1]["next"]:
        there.append(read(region, f"{BOARD}/page?limit=1&cursor={there[-1]['next']}"))
    assert [row for body in there for row in rows(body["entries"])] == expected
    back = read(region, f"{BOARD}/page?limit=9&cursor={there[-1]['previous']}")
    assert rows(back["entries"]) == expected[:-1]
    around = read(region, f"{BOARD}/page?limit=9&around_player={expected[-1][1]}")
    assert rows(around["entries"]) == expected
    at_score = read(region, f"{BOARD}/page?at_score=50")["entries"]
    assert rows(at_score) == [row for row in expected if row[2] <= 50]
    assert [entry["position"] for entry in at_score] == [
        place for place, row in enumerate(expected, 1) if row[2] <= 50
    ]


@every_board
def test_a_lookup_and_friends_are_of_the_board(regional: str, region: str | None) -> None:
    expected = display_order(scores_of(region))
    missing = sorted(player for player in SCORES if player not in scores_of(region))
    body = post(on(region, f"{BOARD}/lookup"), {"player_ids": sorted(SCORES)}).json()
    assert (body["region"], rows(body["entries"]), body["missing"]) == (region, expected, missing)
    body = read(region, f"{PLAYERS}/ann/friends")
    assert (rows(body["entries"]), body["missing"]) == (expected, missing)


@every_board
@pytest.mark.parametrize("score", [0, 29, 30, 49, 50, 51, 70, 1_000_000])
def test_a_score_stands_where_the_board_has_room(
    regional: str, region: str | None, score: int
) -> None:
    scores = scores_of(region).values()
    body = read(region, f"{BOARD}/rank-of?score={score}")
    below = sum(one < score for one in scores)
    assert body["rank"] == 1 + sum(one > score for one in scores)
    assert (body["players_below"], body["share_below"]) == (below, below / len(scores))


@every_board
def test_a_distribution_is_that_of_the_board(regional: str, region: str | None) -> None:
    body = read(region, f"{BOARD}/distribution?buckets=200")
    for counted in body["buckets"]:
        first, last = counted["from"], counted["to"]
        assert counted["count"] == sum(first <= one <= last for one in scores_of(region).values())
    assert body["percentiles"]["p1"] == min(scores_of(region).values())
    assert body["percentiles"]["p99"] == max(scores_of(region).values())


READS = [
    f"{BOARD}/top",
    f"{BOARD}/page",
    f"{BOARD}/page?around_player=ann",
    f"{BOARD}/page?at_score=5",
    f"{BOARD}/rank-of?score=5",
    f"{BOARD}/distribution",
    f"{PLAYERS}/ann/rank",
    f"{PLAYERS}/ann/neighbors",
    f"{PLAYERS}/ann/friends",
]


def test_a_region_that_the_season_has_not_is_not_found(regional: str) -> None:
    for region in ("AS", "eu", "EU2"):
        for address in READS:
            problem(get(on(region, address)), 404, "region_not_found")
            problem(get(on(region, address) + "&version=1"), 404, "region_not_found")
        body = {"player_ids": ["ann"]}
        problem(post(on(region, f"{BOARD}/lookup"), body), 404, "region_not_found")


@pytest.mark.parametrize("region", ["", "E U", "-", "E%00U", "x" * 33, "EU&region=NA"])
def test_a_region_is_one_code(regional: str, region: str) -> None:
    for address in READS:
        problem(get(on(region, address)), 400, "invalid_parameter")
    problem(post(on(region, f"{BOARD}/lookup"), {"player_ids": ["a"]}), 400, "invalid_parameter")


def test_a_cursor_is_for_its_board_only(regional: str) -> None:
    boards = (None, *REGIONS)
    for own in boards:
        cursor = read(own, f"{BOARD}/page?limit=1")["next"]
        for other in boards:
            address = on(other, f"{BOARD}/page?cursor={cursor}")
            if other == own:
                assert get(address).status_code == 200
            else:
                problem(get(address), 400, "invalid_cursor")


def test_a_cursor_of_an_expired_version_leads_to_the_same_place_of_its_board(
    going_on: str,
) -> None:
    first = read("EU", f"{BOARD}/page?limit=1")
    apply(going_on, event("bob", 90, 2), event("ann", 51, 2))
    publish(going_on)
    purge_versions(Season.objects.get().id, version_kept_seconds=0)
    address = on("EU", f"{BOARD}/page?limit=5&cursor={first['next']}")
    moved = problem(get(address), 410, "version_expired")["relocated_cursor"]
    problem(get(f"{BOARD}/page?cursor={moved}"), 400, "invalid_cursor")
    body = read("EU", f"{BOARD}/page?limit=5&cursor={moved}")
    assert rows(body["entries"]) == [(2, "cid", 50), (3, "fay", 30)]


@pytest.mark.parametrize("player", ["dan", "eve", "bob", "nobody"])
def test_who_is_not_of_the_region_is_not_on_its_board(regional: str, player: str) -> None:
    address = f"{PLAYERS}/{player}"
    for what in ("rank", "neighbors"):
        body = problem(get(f"{address}/{what}?region=EU"), 404, "player_not_ranked")
        assert body["pending"] is None
    body = get(f"{BOARD}/page?region=EU&around_player={player}")
    problem(body, 404, "player_not_ranked")
    if player != "nobody":
        assert get(f"{address}/rank").status_code == 200


def test_a_region_in_which_nobody_plays_has_an_empty_board(database: str) -> None:
    board(make_season("season", regions=REGIONS).slug, ann=5)
    for what in ("top", "page", "page?at_score=5"):
        body = get(on("NA", f"{BOARD}/{what}")).json()
        assert (body["region"], body["total_players"], body["entries"]) == ("NA", 0, [])
    body = get(on("NA", f"{BOARD}/rank-of?score=5")).json()
    assert (body["rank"], body["players_below"], body["share_below"]) == (1, 0, 0.0)
    body = get(on("NA", f"{BOARD}/distribution")).json()
    assert {one["count"] for one in body["buckets"]} == {0}
    assert set(body["percentiles"].values()) == {None}


def pending(player: str, region: str | None) -> Any:
    response = get(on(region, f"{PLAYERS}/{player}/rank"))
    assert response.status_code in {200, 404}
    return response.json()["pending"]


def test_what_waits_for_a_version_is_told_by_the_boards_that_it_concerns(going_on: str) -> None:
    (receipt,) = apply(going_on, event("ann", 80, 7))
    expected = {
        "score": 80,
        "score_version": 7,
        "visible_in_version": receipt.visible_in_version,
    }
    assert pending("ann", None) == pending("ann", "EU") == expected
    assert pending("ann", "NA") is None
    apply(going_on, event("new", 1))
    assert pending("new", "EU") is None
    assert pending("new", None)["score"] == 1


def test_a_move_is_pending_on_both_boards_and_then_seen_by_both(going_on: str) -> None:
    old = publish(going_on).version
    move(ann="NA")
    assert pending("ann", "EU")["score"] is None
    assert pending("ann", "NA")["score"] == 50
    assert get(f"{PLAYERS}/ann/rank?region=EU").json()["rank"] == 1
    problem(get(f"{PLAYERS}/ann/rank?region=NA"), 404, "player_not_ranked")
    new = publish(going_on).version
    assert pending("ann", "EU") is pending("ann", "NA") is None
    problem(get(f"{PLAYERS}/ann/rank?region=EU"), 404, "player_not_ranked")
    assert get(f"{PLAYERS}/ann/rank?region=NA").json()["leaderboard_version"] == new
    at_old = get(f"{PLAYERS}/ann/rank?region=EU&version={old}").json()
    assert (at_old["rank"], at_old["total_players"]) == (1, 3)


def test_a_removal_reaches_all_boards(going_on: str) -> None:
    correct(going_on, "ann", 9)
    publish(going_on)
    for region, left in ((None, 6), ("EU", 2), ("NA", 2)):
        body = get(on(region, f"{BOARD}/top")).json()
        assert body["total_players"] == len(body["entries"]) == left
        assert "ann" not in {entry["player_id"] for entry in body["entries"]}


def test_replies_of_two_boards_are_kept_apart(regional: str) -> None:
    tags = {get(on(region, f"{BOARD}/top")).headers["ETag"] for region in (None, *REGIONS)}
    assert len(tags) == 3


def test_the_detail_names_the_regions(regional: str) -> None:
    assert get("/v1/seasons/season").json()["regions"] == list(REGIONS)


def test_the_change_stream_names_regions(going_on: str) -> None:
    move(ann="NA", cid=None)
    publish(going_on)
    body = get(CHANGES, authorization=f"Bearer {token('changes:read')}").json()
    told = [
        (change["kind"], change["player_id"], change["old_score"], change["new_score"])
        for change in body["changes"]
    ]
    regions = {change["player_id"]: change["region"] for change in body["changes"]}
    assert told[len(SCORES) :] == [("region", "ann", 50, 50), ("region", "cid", 50, 50)]
    assert {kind for kind, *_ in told[: len(SCORES)]} == {"result"}
    assert regions == {**HOMES, "eve": None, "ann": "NA", "cid": None}


@pytest.mark.parametrize("region", ["NA", None])
def test_a_result_cannot_name_a_region(going_on: str, region: str | None) -> None:
    for body, pointer in (
        (result(player_id="ann", region=region), "/region"),
        ({"events": [result(player_id="ann", region=region)]}, "/events/0/region"),
    ):
        assert faults(post(SCORES_OF_SEASON, body, token())) == [(pointer, "unknown_member")]


def test_a_service_of_results_cannot_move_a_player(going_on: str) -> None:
    body = {"region": "NA", "profile_version": 1_000_000}
    problem(put(PROFILE, body, token()), 403, "forbidden")
    publish(going_on)
    assert get(f"{PLAYERS}/ann/rank?region=EU").status_code == 200
