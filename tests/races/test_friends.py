"""Two services say at once who a player's friends are: the newest list is what remains."""

from functools import partial
from typing import Any

import pytest

from config.errors import FriendsConflict
from scores.models import Friends
from scores.operations import set_friends
from scores.rules import friend_list
from tests.races.harness import Failure, blocked, outcome, together, uncommitted

pytestmark = pytest.mark.race


def saying(version: int, *named: str) -> Any:
    return partial(set_friends, friend_list("ann", named, version))


def stored() -> tuple[Any, ...]:
    return Friends.objects.values_list("friend_ids", "friends_version").get()


@pytest.mark.parametrize("known", [[], [1]], ids=["unknown", "known"])
@pytest.mark.parametrize("newest", ["first", "second"])
def test_a_list_waits_for_another_and_the_newest_remains(
    database: str, known: list[int], newest: str
) -> None:
    for version in known:
        saying(version, "old")()
    first, second = (3, 2) if newest == "first" else (2, 3)
    with uncommitted(saying(first, "bob")):
        waiting = blocked(saying(second, "cid"))
    if newest == "first":
        assert isinstance(outcome(waiting), FriendsConflict)
        assert stored() == (["bob"], 3)
    else:
        assert outcome(waiting).friend_ids == ["cid"]
        assert stored() == (["cid"], 3)


def test_the_same_list_twice_at_once_is_stored_once(database: str) -> None:
    done = together(*[saying(2, "bob", "cid")] * 10)
    assert len({str(one) for one in done}) == 1
    assert done[0].friend_ids == ["bob", "cid"]


def test_a_list_whose_transaction_fails_leaves_nothing(database: str) -> None:
    with uncommitted(saying(3, "bob")) as first:
        waiting = blocked(saying(2, "cid"))
        assert isinstance(first.fail(), Failure)
    assert outcome(waiting).friends_version == 2
    assert stored() == (["cid"], 2)
