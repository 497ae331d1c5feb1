"""The ranks of a player and of friends, against a board in plain Python."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.queries import Published, friends, published
from leaderboard.queries.friends import FoundFriends
from scores.operations import set_friends
from scores.rules import friend_list
from tests.factories import apply, board, correct, event, make_season, unused_slug
from tests.leaderboard.agreement import rows
from tests.oracle import Board, display_order

PLAYERS = [f"p{number}" for number in range(8)]
SCORES = st.dictionaries(st.sampled_from(PLAYERS), st.sampled_from([0, 7, 249, 250, 600]))
LISTS = itertools.count(1)


def found(season: Published, player: str, version: int) -> FoundFriends:
    answer = friends(season, player, version=version)
    assert answer is not None
    return answer


@settings(max_examples=30)
@given(
    first=SCORES,
    second=SCORES,
    removed=st.sets(st.sampled_from(PLAYERS), max_size=3),
    player=st.sampled_from(PLAYERS),
    named=st.lists(st.sampled_from([*PLAYERS, "nobody"])),
)
def test_they_stand_where_they_stand_on_the_board_of_the_version(
    shared: str, first: Board, second: Board, removed: set[str], player: str, named: list[str]
) -> None:
    slug = make_season(unused_slug()).slug
    list_version = next(LISTS)
    set_friends(friend_list(player, named, list_version))
    boards = {board(slug, **first).current: first}
    apply(slug, *(event(one, score, 2) for one, score in second.items()))
    for one in removed & {*first, *second}:
        correct(slug, one, 3)
    best = {one: max(first.get(one, 0), second.get(one, 0)) for one in {*first, *second}}
    boards[board(slug).current] = {one: best[one] for one in best if one not in removed}
    group = {player, *named}
    for number, expected in boards.items():
        answer = found(published(slug), player, number)
        ordered = [row for row in display_order(expected) if row[1] in group]
        assert answer.header.members == [len(expected)]
        assert answer.friends_version == list_version
        assert rows(answer.entries) == ordered
        assert answer.missing == sorted(group - {row[1] for row in ordered})


def test_without_a_list_the_player_stands_alone(slug: str) -> None:
    season = board(slug, **{"no-list": 10, "bob": 20})
    answer = found(season, "no-list", season.current)
    assert answer.friends_version is None
    assert rows(answer.entries) == [(2, "no-list", 10)]
    assert found(season, "stranger", season.current)[1:] == (None, [], ["stranger"])


def test_what_is_accepted_later_is_not_seen(slug: str) -> None:
    set_friends(friend_list("eve", ["bob"], next(LISTS)))
    season = board(slug, eve=10, bob=20)
    apply(slug, event("eve", 30, 2), event("cid", 40))
    answer = found(season, "eve", season.current)
    assert rows(answer.entries) == [(1, "bob", 20), (2, "eve", 10)]
