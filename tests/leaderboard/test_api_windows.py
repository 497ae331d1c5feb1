"""Top, neighbours and look-ups through HTTP: ties, ends, and limits."""

from typing import Any

import pytest

from tests.api import BOARD, PLAYERS, faults, get, post, problem
from tests.factories import board

LIMITED = [
    (f"{BOARD}/top?limit=", 100),
    (f"{BOARD}/page?limit=", 100),
    (f"{PLAYERS}/ann/neighbors?radius=", 50),
    ("/v1/seasons?limit=", 100),
]


def lookup(*players: Any, query: str = "") -> Any:
    return post(f"{BOARD}/lookup{query}", {"player_ids": players})


def test_every_limit_is_an_integer_in_its_range(season: str) -> None:
    board(season, ann=10)
    for address, most in LIMITED:
        assert get(f"{address}1").status_code == 200
        assert get(f"{address}{most}").status_code == 200
        wrong = ["0", "-1", "abc", "1.5", "007", str(most + 1), "1" + "0" * 30, "", "%201", "1%20"]
        for text in wrong:
            problem(get(f"{address}{text}"), 400, "invalid_parameter")


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([101, 100, 100, 99], [1, 2, 2, 4]),
        ([9, 7, 7, 7, 3], [1, 2, 2, 2, 5]),
        ([5, 5, 3], [1, 1, 3]),
        ([0, 0, 0], [1, 1, 1]),
    ],
)
def test_tied_players_share_a_rank_in_every_view(
    season: str, scores: list[int], ranks: list[int]
) -> None:
    players = [f"p{place}" for place in range(len(scores))]
    board(season, **dict(zip(players, scores, strict=True)))
    wanted = list(zip(ranks, players, strict=True))
    for view in ("top", "page"):
        entries = get(f"{BOARD}/{view}").json()["entries"]
        assert [(entry["rank"], entry["player_id"]) for entry in entries] == wanted
        assert [entry["position"] for entry in entries] == list(range(1, len(scores) + 1))
    found = lookup(*reversed(players)).json()["entries"]
    assert [(entry["rank"], entry["player_id"]) for entry in found] == wanted
    assert [entry["group_rank"] for entry in found] == ranks
    for rank, player in wanted:
        assert get(f"{PLAYERS}/{player}/rank").json()["rank"] == rank
    around = get(f"{PLAYERS}/{players[1]}/neighbors").json()
    shown = [*around["above"], around["player"], *around["below"]]
    assert [(entry["rank"], entry["player_id"]) for entry in shown] == wanted


@pytest.mark.parametrize("size", [0, 1, 3])
def test_small_boards(season: str, size: int) -> None:
    board(season, **{f"p{place}": place for place in range(size)})
    for view in ("top", "page"):
        body = get(f"{BOARD}/{view}").json()
        assert (len(body["entries"]), body["total_players"]) == (size, size)
    body = lookup("p0", "nobody").json()
    assert (len(body["entries"]), body["missing"][-1]) == (min(size, 1), "nobody")
    for route in ("rank", "neighbors"):
        problem(get(f"{PLAYERS}/nobody/{route}"), 404, "player_not_ranked")


def test_neighbours_are_fewer_at_the_ends(season: str) -> None:
    board(season, **{f"p{rank:02}": 1_000 - rank for rank in range(1, 31)})
    windows = {1: (1, 11), 2: (1, 12), 11: (1, 21), 15: (5, 25), 30: (20, 30)}
    for rank, (first, last) in windows.items():
        body = get(f"{PLAYERS}/p{rank:02}/neighbors").json()
        shown = [*body["above"], body["player"], *body["below"]]
        assert [entry["rank"] for entry in shown] == list(range(first, last + 1))
        assert body["player"]["player_id"] == f"p{rank:02}"
    assert len(get(f"{PLAYERS}/p15/neighbors?radius=1").json()["above"]) == 1
    assert len(get(f"{PLAYERS}/p15/neighbors?radius=50").json()["above"]) == 14


def test_the_top_may_end_inside_a_tie(season: str) -> None:
    board(season, **{f"p{place:03}": 50 if place < 90 else 7 for place in range(120)})
    entries = get(f"{BOARD}/top").json()["entries"]
    assert len(entries) == 100
    assert [entry["rank"] for entry in entries] == [1] * 90 + [91] * 10
    assert [entry["player_id"] for entry in entries] == [f"p{place:03}" for place in range(100)]
    assert len(get(f"{BOARD}/top?limit=7").json()["entries"]) == 7


def test_a_look_up_names_the_missing_and_shows_each_player_once(season: str) -> None:
    board(season, ann=10, bob=7)
    body = lookup("bob", "nobody", "ann", "bob", "someone", "nobody").json()
    assert [entry["player_id"] for entry in body["entries"]] == ["ann", "bob"]
    assert body["missing"] == ["nobody", "someone"]
    assert body["total_players"] == 2


def test_a_look_up_takes_one_to_two_hundred_ids(season: str) -> None:
    number = board(season, ann=10).current
    assert lookup(*[f"p{place}" for place in range(200)]).status_code == 200
    assert faults(lookup()) == [("/player_ids", "length")]
    assert faults(lookup(*["a"] * 201)) == [("/player_ids", "length")]
    assert faults(lookup("a", "a/b", 7, "x" * 65)) == [
        ("/player_ids/1", "pattern"),
        ("/player_ids/2", "type"),
        ("/player_ids/3", "length"),
        ("/player_ids/3", "pattern"),
    ]
    assert faults(post(f"{BOARD}/lookup", {"x": 1})) == [
        ("/player_ids", "missing"),
        ("/x", "unknown_member"),
    ]
    problem(post(f"{BOARD}/lookup", b"{"), 400, "malformed_json")
    problem(lookup("ann", query=f"?version={number + 1}"), 404, "version_unknown")
    problem(lookup("ann", query=f"?min_version={number + 1}"), 409, "not_published_yet")
    problem(get(f"{BOARD}/lookup"), 405, "method_not_allowed")
    assert lookup("ann", query=f"?version={number}").json()["age_seconds"] is None
