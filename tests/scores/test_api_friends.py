"""`PUT …/friends` from the HTTP side."""

from typing import Any

import pytest

from scores.models import Friends
from tests.api import FRIENDS, faults, problem, put, token


@pytest.fixture
def bearer(database: str) -> str:
    return token("players:write")


def friends(*named: Any, version: int = 1, **members: Any) -> dict[str, Any]:
    return {"friend_ids": list(named), "friends_version": version, **members}


def test_a_list_is_answered_as_it_is_stored(bearer: str) -> None:
    reply = put(FRIENDS, friends("bob", "ann", "cid", "bob", version=7), bearer).json()
    updated_at = reply.pop("updated_at")
    assert updated_at.endswith("Z")
    assert reply == {"player_id": "ann", "friend_ids": ["bob", "cid"], "friends_version": 7}
    again = put(FRIENDS, friends("bob", "cid", version=7), bearer).json()
    assert again == {**reply, "updated_at": updated_at}


@pytest.mark.parametrize("other", [friends("bob", version=7), friends("cid", version=6)])
def test_an_older_or_equal_version_with_other_friends_is_refused(
    bearer: str, other: dict[str, Any]
) -> None:
    put(FRIENDS, friends("cid", version=7), bearer)
    problem(put(FRIENDS, other, bearer), 409, "friends_conflict")
    assert Friends.objects.values_list("friend_ids", "friends_version").get() == (["cid"], 7)


@pytest.mark.parametrize("number", [0, 1, 500])
def test_a_list_has_up_to_five_hundred_friends(bearer: str, number: int) -> None:
    named = [f"player-{n}" for n in range(number)]
    assert put(FRIENDS, friends(*named), bearer).json()["friend_ids"] == named


REFUSED: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    (friends(*["bob"] * 501), [("/friend_ids", "length")]),
    (friends("bob", "a b", 7, None), [
        ("/friend_ids/1", "pattern"),
        ("/friend_ids/2", "type"),
        ("/friend_ids/3", "type"),
    ]),
    (friends(version=0), [("/friends_version", "out_of_range")]),
    (friends(friend_ids=None), [("/friend_ids", "type")]),
    (friends(player_id="ann"), [("/player_id", "unknown_member")]),
    ({}, [("/friend_ids", "missing"), ("/friends_version", "missing")]),
]  # fmt: skip


def test_every_fault_is_pointed_at(bearer: str) -> None:
    for body, expected in REFUSED:
        assert faults(put(FRIENDS, body, bearer)) == expected
    problem(put(FRIENDS, b"[", bearer), 400, "malformed_json")
    wrong = put("/internal/v1/players/a%20b/friends", friends(), bearer)
    problem(wrong, 400, "invalid_parameter")
    assert not Friends.objects.exists()


def test_friends_need_the_scope_of_players(database: str) -> None:
    problem(put(FRIENDS, friends("bob"), token("scores:apply")), 403, "forbidden")
    problem(put(FRIENDS, friends("bob")), 401, "not_authenticated")
    assert not Friends.objects.exists()
