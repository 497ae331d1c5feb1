"""Profiles and friend lists: what must be stored, and which replies say otherwise."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.management.simulation.checks import Checks
from leaderboard.management.simulation.friendships import (
    Befriending,
    FriendList,
    Friendships,
    friends_body,
    judge_list,
)
from leaderboard.management.simulation.model import Model
from leaderboard.management.simulation.profiles import (
    Profile,
    Profiles,
    judge_several,
    judge_single,
)
from leaderboard.management.simulation.questions import Asker, Seen
from leaderboard.management.simulation.timelines import Timelines
from tests.leaderboard.simulation.reference import Json, Reference
from tests.leaderboard.simulation.test_simulated_checks import SEASON
from tests.leaderboard.simulation.windows import World

SEEDS = st.integers(0, 10_000)
PLAYERS = ("a", "b", "c")


@given(SEEDS, st.lists(st.integers(1, 4), min_size=1, max_size=12))
def test_profiles_are_stored_as_a_plain_server_stores_them(seed: int, sizes: list[int]) -> None:
    random = Random(seed)
    world, profiles = World(Reference()), Profiles(("EU", "US"), random)
    for size in sizes:
        sent = [profiles.next_of(random.choice(PLAYERS)) for _ in range(size)]
        stored = profiles.after(sent)
        if size == 1:
            path = f"/internal/v1/players/{sent[0].player_id}/profile"
            status, reply = world.handle("PUT", path, {}, sent[0].body())
            found = [*judge_single(sent[0], stored[sent[0].player_id], status, reply)]
        else:
            body = {"profiles": [{"player_id": one.player_id, **one.body()} for one in sent]}
            status, reply = world.handle("POST", "/internal/v1/players/profiles", {}, body)
            found = [*judge_several(sent, stored, status, reply)]
        assert found == []
        profiles.store(stored)


def test_a_profile_that_is_answered_otherwise_is_found() -> None:
    new, old = Profile("a", "EU", 3), Profile("a", "US", 2)
    reply = {"player_id": "a", "region": "EU", "profile_version": 3, "updated_at": "now"}
    assert [*judge_single(new, new, 200, reply)] == []
    assert [*judge_single(new, new, 200, reply | {"region": "US"})]
    assert [*judge_single(old, new, 200, reply)]
    assert [*judge_single(old, new, 409, {"code": "profile_conflict"})] == []
    told = {**reply, "outcome": "stored"}
    assert [*judge_several([new, old], {"a": new}, 200, {"results": [told, told]})]
    assert [*judge_several([new, old], {"a": new}, 200, {"results": [told]})]


@given(SEEDS, st.integers(1, 15))
def test_friend_lists_are_stored_as_a_plain_server_stores_them(seed: int, count: int) -> None:
    random = Random(seed)
    world, friendships = World(Reference()), Friendships()
    befriending = Befriending(friendships, PLAYERS, random)
    for number in range(count):
        given_list = befriending.next_of("a")
        stored = friendships.of("a")
        body = friends_body(given_list, random)
        status, reply = world.handle("PUT", "/internal/v1/players/a/friends", {}, body)
        assert [*judge_list(given_list, stored, status, reply)] == []
        if status == 200:
            friendships.record(given_list, number, number + 0.5)


def seen_friends(version: int | None, *, sent: float) -> list[str]:
    """Return the findings about a reply by this list, of a and nobody else, asked at this time."""
    friendships = Friendships()
    friendships.record(FriendList("a", frozenset("b"), 1), 1.0, 2.0)
    friendships.record(FriendList("a", frozenset("c"), 2), 5.0, 6.0)
    checks = Checks(SEASON, Model(10, [("a", 5), ("b", 4)]), Timelines(), friendships)
    reference = Reference({"a": 5, "b": 4})
    lists: dict[int | None, list[str]] = {None: [], 1: ["b"], 2: ["c"]}
    reference.friends_of = lambda player: (version, lists[version])
    question = Asker("demo").friends("a")
    status, body = reference.handle("GET", question.path, {}, None)
    seen = Seen(question, status, body, sent, sent + 0.1, 10)
    return [finding.kind for finding in checks.check(seen)]


@pytest.mark.parametrize(
    ("version", "sent", "kinds"),
    [
        (None, 0.5, []),
        (1, 3.0, []),
        (2, 3.0, ["friends"]),
        (1, 5.5, []),
        (2, 5.5, []),
        (1, 7.0, ["friends"]),
        (None, 7.0, ["friends"]),
        (2, 7.0, []),
    ],
)
def test_the_list_of_a_reply_may_have_been_current(
    version: int | None, sent: float, kinds: list[str]
) -> None:
    assert seen_friends(version, sent=sent) == kinds


def test_a_friend_too_many_is_found() -> None:
    friendships = Friendships()
    friendships.record(FriendList("a", frozenset("b"), 1), 1.0, 2.0)
    checks = Checks(SEASON, Model(10, [("a", 5), ("b", 4), ("c", 3)]), Timelines(), friendships)
    reference = Reference({"a": 5, "b": 4, "c": 3})
    reference.friends_of = lambda player: (1, ["b", "c"])
    question = Asker("demo").friends("a")
    body: dict[str, Any] = reference.handle("GET", question.path, {}, None)[1]
    assert checks.check(Seen(question, 200, body, 3.0, 3.1, 10))


def stored(body: Json, **other: Any) -> Json:
    return {"player_id": "a", "updated_at": "now", **body, **other}


def test_a_list_that_is_answered_otherwise_is_found() -> None:
    new, old = FriendList("a", frozenset("bc"), 3), FriendList("a", frozenset("b"), 2)
    body = friends_body(new, Random(1))
    assert [*judge_list(new, old, 200, stored({**body, "friend_ids": ["b", "c"]}))] == []
    assert [*judge_list(new, old, 200, stored({**body, "friend_ids": ["b"]}))]
    assert [*judge_list(new, old, 409, {"code": "friends_conflict"})]
    assert [*judge_list(old, new, 200, stored({**body, "friend_ids": ["b"]}))]
