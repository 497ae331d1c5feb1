"""The demo's model: the contract's rules, and ranks by counting."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.management.season_demo.model import Board, Model, Move, moves

FEW = {"ann": 30, "bob": 20, "cid": 20, "dan": 10}
BOARDS = st.dictionaries(
    st.sampled_from([f"p{number:02}" for number in range(30)]), st.integers(0, 6)
)


def played(*results: tuple[int, int]) -> Model:
    """Return a model in which ann had these (score, version)."""
    model = Model()
    for score, version in results:
        model.result("ann", score, version)
    return model


def test_a_higher_result_improves() -> None:
    assert played((5, 1)).result("ann", 6, 2) == "improved"


@pytest.mark.parametrize("score", [4, 5])
def test_an_equal_or_lower_result_leaves_the_best_and_counts_as_the_newest(score: int) -> None:
    model = played((5, 1))
    assert model.result("ann", score, 3) == "not_improved"
    assert (model.shown("ann"), model.version["ann"]) == (5, 3)


@pytest.mark.parametrize("version", [1, 2])
def test_a_version_that_is_not_newer_is_stale_however_high(version: int) -> None:
    model = played((5, 2))
    assert model.result("ann", 9, version) == "stale_version"
    assert (model.shown("ann"), model.version["ann"]) == (5, 2)


def test_a_score_of_nought_is_a_score() -> None:
    assert played((0, 1)).scores() == {"ann": 0}


def test_a_removed_player_is_not_shown_and_plays_on_unseen() -> None:
    model = played((5, 1))
    model.remove("ann", 2)
    assert model.result("ann", 7, 3) == "improved"
    assert (model.shown("ann"), model.scores()) == (None, {})


def test_a_removal_taken_out_shows_the_best_of_the_meantime_too() -> None:
    model = played((5, 1))
    model.remove("ann", 2)
    model.result("ann", 7, 3)
    model.bring_back("ann", 4)
    assert model.scores() == {"ann": 7}


def test_a_correction_sets_the_score_downwards_and_ends_a_removal() -> None:
    model = played((5, 1))
    model.remove("ann", 2)
    model.correct("ann", 3, 3)
    assert model.scores() == {"ann": 3}
    assert model.result("ann", 4, 4) == "improved"


@pytest.mark.parametrize(
    ("score", "outcome", "best"), [(9, "improved", 9), (4, "not_improved", 5)]
)
def test_a_held_result_counts_whatever_came_after_it(score: int, outcome: str, best: int) -> None:
    model = played((5, 7))
    assert model.release("ann", score) == outcome
    assert (model.shown("ann"), model.version["ann"]) == (best, 7)


def test_ties_share_a_rank_and_the_next_one_is_counted() -> None:
    rows = [tuple(row) for row in Board(FEW).rows]
    assert rows == [(1, 1, "ann", 30), (2, 2, "bob", 20), (3, 2, "cid", 20), (4, 4, "dan", 10)]


@given(BOARDS)
def test_a_rank_is_one_more_than_the_number_of_higher_scores(scores: dict[str, int]) -> None:
    board = Board(scores)
    assert {row.player_id: row.score for row in board.rows} == scores
    for row in board.rows:
        assert row.rank == 1 + sum(score > row.score for score in scores.values())
        assert board.row(row.player_id) == row


@given(BOARDS, st.integers(1, 40))
def test_the_players_around_are_those_next_to_one_in_display_order(
    scores: dict[str, int], radius: int
) -> None:
    order = sorted(scores, key=lambda player: (-scores[player], player))
    board = Board(scores)
    for at, player in enumerate(order):
        above, below = board.around(player, radius)
        assert [row.player_id for row in above] == order[:at][-radius:]
        assert [row.player_id for row in below] == order[at + 1 :][:radius]
        page = [row.player_id for row in board.page_around(player, radius)]
        assert player in page
        assert len(page) == min(radius, len(order))


def test_among_a_few_each_is_named_once_with_both_ranks() -> None:
    found = Board(FEW).among(["dan", "cid", "nobody", "bob", "cid"])
    assert [(row.player_id, row.rank, own) for row, own in found] == [
        ("bob", 2, 1),
        ("cid", 2, 1),
        ("dan", 4, 3),
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda scores: scores, []),
        (
            lambda scores: scores | {"ann": 5},
            [("bob", 2, 20, 1, 20), ("cid", 2, 20, 1, 20), ("dan", 4, 10, 3, 10),
             ("ann", 1, 30, 4, 5)],
        ),
        (
            lambda scores: {name: score for name, score in scores.items() if name != "cid"},
            [("dan", 4, 10, 3, 10), ("cid", 2, 20, None, None)],
        ),
        (lambda scores: scores | {"eve": 1}, [("eve", None, None, 5, 1)]),
        (lambda scores: scores | {"ann": 31}, [("ann", 1, 30, 1, 31)]),
    ],
    ids=["nothing", "down", "left", "entered", "score alone"],
)  # fmt: skip
def test_who_moved(
    change: Callable[[dict[str, int]], dict[str, int]], expected: list[Move]
) -> None:
    assert moves(Board(FEW), Board(change(dict(FEW)))) == expected
