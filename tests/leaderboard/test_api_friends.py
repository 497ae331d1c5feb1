"""A player among friends through HTTP: ranks, who is missing, pins, and caching."""

from typing import Any

from scores.operations import set_friends
from scores.rules import friend_list
from tests.api import BOARD, PLAYERS, get, problem
from tests.factories import board, make_final

FRIENDS = f"{PLAYERS}/ann/friends"


def say(version: int, *named: str) -> None:
    set_friends(friend_list("ann", named, version))


def shown(body: dict[str, Any]) -> list[tuple[int, int, str, int]]:
    return [
        (entry["rank"], entry["group_rank"], entry["player_id"], entry["score"])
        for entry in body["entries"]
    ]


def test_friends_have_their_global_rank_and_one_among_each_other(season: str) -> None:
    board(season, zoe=90, ann=70, bob=70, cid=80, dan=60)
    say(4, "dan", "bob", "nobody", "zoe", "gone")
    body = get(FRIENDS).json()
    assert shown(body) == [
        (1, 1, "zoe", 90),
        (3, 2, "ann", 70),
        (3, 2, "bob", 70),
        (5, 4, "dan", 60),
    ]
    assert body["missing"] == ["gone", "nobody"]
    assert (body["friends_version"], body["total_players"]) == (4, 5)


def test_the_player_is_in_it_once_whatever_the_list_says(season: str) -> None:
    board(season, ann=70, bob=80)
    say(1, "ann", "bob", "ann", "bob")
    assert shown(get(FRIENDS).json()) == [(1, 1, "bob", 80), (2, 2, "ann", 70)]


def test_without_a_list_there_is_the_player_alone(season: str) -> None:
    board(season, ann=70, bob=80)
    body = get(FRIENDS).json()
    assert shown(body) == [(2, 1, "ann", 70)]
    assert (body["friends_version"], body["missing"]) == (None, [])
    body = get(f"{PLAYERS}/stranger/friends").json()
    assert (body["entries"], body["missing"]) == ([], ["stranger"])


def test_a_list_without_friends_is_a_list(season: str) -> None:
    board(season, ann=70)
    say(9)
    body = get(FRIENDS).json()
    assert (shown(body), body["friends_version"]) == ([(1, 1, "ann", 70)], 9)


def test_a_player_off_the_board_is_missing_among_friends(season: str) -> None:
    board(season, bob=80)
    say(1, "bob")
    body = get(FRIENDS).json()
    assert (shown(body), body["missing"]) == ([(1, 1, "bob", 80)], ["ann"])


def test_five_hundred_friends_are_shown(season: str) -> None:
    friends = [f"player-{number}" for number in range(500)]
    board(season, ann=250, **{friend: number for number, friend in enumerate(friends)})
    say(1, *friends)
    body = get(FRIENDS).json()
    everyone = get(f"{BOARD}/page?limit=100").json()["entries"]
    assert len(body["entries"]) == 501
    assert [entry["player_id"] for entry in body["entries"][:100]] == [
        entry["player_id"] for entry in everyone
    ]
    assert all(entry["rank"] == entry["group_rank"] for entry in body["entries"])


def test_a_pinned_version_is_shown_with_the_friends_of_now(season: str) -> None:
    old = board(season, ann=70, bob=80, cid=60).current
    board(season, dan=100)
    say(1, "bob", "dan")
    assert shown(get(f"{FRIENDS}?version={old}").json()) == [(1, 1, "bob", 80), (2, 2, "ann", 70)]
    say(2, "cid")
    body = get(f"{FRIENDS}?version={old}").json()
    assert shown(body) == [(2, 1, "ann", 70), (3, 2, "cid", 60)]
    assert body["age_seconds"] is None


def test_a_new_list_is_new_content_also_of_a_final_version(season: str) -> None:
    board(season, ann=70, bob=80)
    make_final(season)
    address = f"{FRIENDS}?version=final"
    reply = get(address)
    assert reply.headers["Cache-Control"] == "public, max-age=1, stale-while-revalidate=2"
    assert get(address, if_none_match=reply.headers["ETag"]).status_code == 304
    say(1, "bob")
    assert get(address, if_none_match=reply.headers["ETag"]).status_code == 200


def test_what_is_asked_for_is_checked(season: str) -> None:
    number = board(season, ann=70).current
    problem(get(f"{PLAYERS}/a%20b/friends"), 400, "invalid_parameter")
    problem(get(f"{FRIENDS}?region=EU"), 404, "region_not_found")
    problem(get(f"{FRIENDS}?version={number + 1}"), 404, "version_unknown")
    problem(get(f"{FRIENDS}?min_version={number + 1}"), 409, "not_published_yet")
    problem(get(FRIENDS.replace("/season/", "/nothing/")), 404, "season_not_found")
