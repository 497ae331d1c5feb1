"""The ordered board against sorting everything each time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.management.simulation import standings
from leaderboard.management.simulation.model import Change, Model
from leaderboard.management.simulation.standings import Standings, key_of

NAMES = st.sampled_from([f"p{number}" for number in range(30)])
SCORES = st.none() | st.integers(-2, 6)
MOVES = st.lists(st.tuples(NAMES, SCORES), max_size=80)


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standings, "BLOCK", 3)
        yield


def plain_rows(scores: dict[str, int]) -> list[tuple[int, str, int]]:
    board = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    return [
        (1 + sum(other > score for other in scores.values()), player, score)
        for player, score in board
    ]


@given(st.dictionaries(NAMES, st.integers(-2, 6)), MOVES)
@settings(deadline=None)
def test_ranks_places_and_windows_are_those_of_the_sorted_board(
    begin: dict[str, int], moves: list[tuple[str, int | None]]
) -> None:
    board, scores = Standings(begin.items()), dict(begin)
    for player, score in moves:
        board.put(player, score)
        scores.pop(player, None)
        if score is not None:
            scores[player] = score
    rows = plain_rows(scores)
    assert len(board) == len(scores)
    assert board.rows(0, 100) == rows
    for place, (rank, player, score) in enumerate(rows):
        assert board.place_of(player) == place
        assert board.rank(score) == rank
        assert board.rows(place, place + 4) == rows[place : place + 4]
    for score in range(-3, 8):
        better = sum(one > score for one in scores.values())
        assert board.rank(score) == 1 + better
        assert board.place(key_of(score, "p15")) == better + sum(
            one == score and player < "p15" for player, one in scores.items()
        )


@given(st.lists(st.tuples(st.integers(1, 9), NAMES, SCORES), max_size=40))
@settings(deadline=None)
def test_a_model_at_a_version_has_the_changes_up_to_it_and_no_other(
    drawn: list[tuple[int, str, int | None]],
) -> None:
    model, states = Model(0), {0: dict[str, int]()}
    changes = sorted(drawn, key=lambda one: one[0])
    for version in range(1, 10):
        scores = dict(states[version - 1])
        for _, player, score in (one for one in changes if one[0] == version):
            scores.pop(player, None)
            scores |= {player: score} if score is not None else {}
        states[version] = scores
    last: dict[str, int | None] = {}
    for version, player, score in changes:
        model.record(Change(version, player, last.get(player), score, "e"))
        last[player] = score
    for version in (2, 3, 7, 9):
        model.advance(version)
        assert model.standings.scores == states[version]
        assert model.standings.rows(0, 100) == plain_rows(states[version])
        later = {one[1] for one in changes if one[0] > version}
        assert {player for player in later if any(model.later_changes(player))} == later
