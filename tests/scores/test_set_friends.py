"""set_friends: the newest list counts; each friend is in it once, and the player is not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import FriendsConflict
from scores.models import Friends
from scores.operations import set_friends
from scores.rules import friend_list


def say(friends_version: int, *named: str) -> list[str]:
    """Set ann's friends and return those that are stored."""
    return set_friends(friend_list("ann", named, friends_version)).friend_ids


def stored() -> tuple[Any, ...]:
    return Friends.objects.values_list("friend_ids", "friends_version").get()


def test_a_first_list_is_stored_as_it_was_given(database: str) -> None:
    assert say(3, "zoe", "bob") == ["zoe", "bob"]
    assert stored() == (["zoe", "bob"], 3)


def test_a_newer_one_replaces_it_whole_also_by_nobody(database: str) -> None:
    say(3, "bob", "cid")
    assert say(4, "dan") == ["dan"]
    assert say(5) == []
    assert stored() == ([], 5)


def test_the_same_list_again_is_stored_already_in_whatever_order(database: str) -> None:
    first = set_friends(friend_list("ann", ["bob", "cid"], 3))
    again = set_friends(friend_list("ann", ["bob", "cid"], 3))
    turned = set_friends(friend_list("ann", ["cid", "ann", "bob", "cid"], 3))
    assert first == again == turned


@pytest.mark.parametrize(
    ("version", "named"), [(3, ["bob"]), (3, []), (2, ["cid"]), (2, ["bob", "cid"])]
)
def test_an_older_or_equal_version_with_other_content_is_a_conflict(
    database: str, version: int, named: list[str]
) -> None:
    say(3, "bob", "cid")
    with pytest.raises(FriendsConflict):
        say(version, *named)
    assert stored() == (["bob", "cid"], 3)


@given(named=st.lists(st.sampled_from(["ann", "bob", "cid", "dan"])))
def test_each_is_kept_once_in_order_and_the_player_left_out(named: list[str]) -> None:
    friends = friend_list("ann", named, 1).friend_ids
    assert set(friends) == set(named) - {"ann"}
    assert len(friends) == len(set(friends))
    assert friends == sorted(friends, key=named.index)


def test_five_hundred_friends_are_kept_and_the_database_takes_no_more(
    database: str, superuser: Any
) -> None:
    friends = [f"player-{number}" for number in range(500)]
    assert say(1, *friends) == friends
    with pytest.raises(Exception, match="friends_are_bounded"):
        superuser.execute("UPDATE scores_friends SET friend_ids = friend_ids || '{one-more}'")
    with pytest.raises(Exception, match="friends_do_not_name_the_player"):
        superuser.execute("UPDATE scores_friends SET friend_ids = '{ann}'")
