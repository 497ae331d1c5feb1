"""What a module plays once is read by its tests, and changed by none."""

import pytest
from psycopg.errors import ReadOnlySqlTransaction

from leaderboard.queries import Published, published
from tests.factories import apply, board, event, make_season
from tests.own_database import Once


def play(**scores: int) -> Published:
    return board(make_season("season").slug, **scores)


def test_it_is_played_once(once: Once) -> None:
    first = once(play, ann=5)
    assert once(play, ann=5) is first
    assert published("season").members == [1]


def test_another_game_has_a_database_of_its_own(once: Once) -> None:
    for scores in ({"ann": 5}, {"ann": 5, "bob": 7}):
        once(play, **scores)
        assert published("season").members == [len(scores)]


def test_nobody_can_change_what_others_read(once: Once) -> None:
    once(play, ann=5)
    with pytest.raises(ReadOnlySqlTransaction):
        apply("season", event("ann", 6, 2))
