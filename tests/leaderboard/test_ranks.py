"""Ranks, windows, pages and look-ups of boards that go wrong elsewhere, against counting."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard import queries
from leaderboard.operations import purge_versions
from leaderboard.queries import Entry, Place, Published
from tests.factories import (
    apply,
    board,
    correct,
    event,
    make_season,
    move,
    publish,
    unused_slug,
)
from tests.leaderboard.agreement import require_board, require_gone, rows
from tests.oracle import Board, display_order


def made(slug: str, scores: Board) -> Published:
    return board(slug, **scores)


def numbered(scores: list[int]) -> Board:
    return {f"player-{number:03}": score for number, score in enumerate(scores)}


def rank_of(season: Published, player_id: str, version: int | None = None) -> int | None:
    found = queries.rank_of_player(season, player_id, version=version or season.current)
    assert found is not None
    return found.rank


def around(season: Published, player_id: str, radius: int) -> list[Entry]:
    found = queries.neighbours(season, player_id, version=season.current, radius=radius)
    assert found is not None
    assert found.player is not None
    return [*found.above, found.player, *found.below]


def after(season: Published, place: Place | None, limit: int) -> list[Entry]:
    page = queries.players_after(season, place, version=season.current, limit=limit)
    assert page is not None
    return page.entries


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([101, 100, 100, 99], [1, 2, 2, 4]),
        ([9, 7, 7, 7, 3], [1, 2, 2, 2, 5]),
        ([5, 5, 3], [1, 1, 3]),
        ([0, 0, 0], [1, 1, 1]),
        ([250, 249, 249, 0], [1, 2, 2, 4]),
        ([1_000_000, 999_999, 0], [1, 2, 3]),
    ],
)
def test_ties_share_a_rank_and_leave_a_gap(slug: str, scores: list[int], ranks: list[int]) -> None:
    season = made(slug, numbered(scores))
    assert [rank_of(season, player_id) for player_id in numbered(scores)] == ranks
    require_board(season, 2, numbered(scores), [])


@pytest.mark.parametrize("players", [0, 1, 3])
def test_a_small_board_is_a_board(slug: str, players: int) -> None:
    scores = numbered([7] * players)
    season = made(slug, scores)
    assert season.members == [players]
    require_board(season, season.current, scores, ["nobody"])


def test_500_players_with_one_score_are_all_first_in_every_view(slug: str) -> None:
    season = made(slug, numbered([42] * 500))
    expected = display_order(numbered([42] * 500))
    top = queries.top(season, version=2, limit=100)
    found = queries.lookup(season, list(numbered([42] * 500)), version=2)
    assert top is not None
    assert found is not None
    assert rows(top.entries) == expected[:100]
    assert rows(found.entries) == expected
    assert rows(after(season, None, 500)) == expected
    assert rows(around(season, "player-250", 10)) == expected[240:261]


def test_500_players_of_a_region_with_one_score_are_all_first_in_every_view(shared: str) -> None:
    slug = make_season(unused_slug(), regions=("EU",)).slug
    scores = {f"{slug}-{number:03}": 42 for number in range(500)}
    move(**dict.fromkeys(scores, "EU"))
    season = made(slug, {**scores, "stranger": 1_000})
    expected = display_order(scores)
    at: dict[str, Any] = {"version": season.current, "board": season.board_of("EU")}
    top = queries.top(season, limit=100, **at)
    found = queries.lookup(season, list(scores), **at)
    page = queries.players_after(season, None, limit=500, **at)
    assert top is not None
    assert found is not None
    assert page is not None
    assert rows(top.entries) == expected[:100]
    assert rows(found.entries) == rows(page.entries) == expected
    for place in (0, 250, 499):
        own = expected[place][1]
        around = queries.neighbours(season, own, radius=10, **at)
        rank = queries.rank_of_player(season, own, **at)
        assert around is not None
        assert rank is not None
        assert (around.player, rank.rank) == (found.entries[place], 1)
        assert rows(around.above) == expected[max(0, place - 10) : place]
        assert rows(around.below) == expected[place + 1 : place + 11]


def test_250_tied_players_are_on_three_pages_once_each(slug: str) -> None:
    season = made(slug, numbered([42] * 250))
    pages = [after(season, None, 100)]
    while len(pages[-1]) == 100:
        pages.append(after(season, Place(42, 0, pages[-1][-1].player_id), 100))
    assert [len(page) for page in pages] == [100, 100, 50]
    assert [entry.player_id for page in pages for entry in page] == sorted(numbered([42] * 250))
    assert {entry.rank for page in pages for entry in page} == {1}


def test_a_worse_result_changes_nothing_anywhere(slug: str) -> None:
    scores = {"ann": 30, "bob": 20}
    made(slug, scores)
    apply(slug, event("ann", 10, 2))
    season = board(slug)
    assert season.current == 2
    require_board(season, 2, scores, [])


@pytest.mark.parametrize(
    ("place", "first", "last"), [(1, 1, 11), (2, 1, 12), (11, 1, 21), (20, 10, 30), (30, 20, 30)]
)
def test_a_window_ends_where_the_board_ends_and_is_not_refilled(
    slug: str, place: int, first: int, last: int
) -> None:
    season = made(slug, numbered([1000 - number for number in range(30)]))
    window = around(season, f"player-{place - 1:03}", 10)
    assert [entry.rank for entry in window] == list(range(first, last + 1))


def test_the_top_ends_inside_a_tie(slug: str) -> None:
    scores = numbered([500] * 60 + [400] * 60)
    season = made(slug, scores)
    top = queries.top(season, version=2, limit=100)
    assert top is not None
    assert rows(top.entries) == display_order(scores)[:100]
    assert rows(top.entries)[-1] == (61, "player-099", 400)


def test_a_look_up_gives_each_its_own_and_leaves_out_who_is_missing(slug: str) -> None:
    season = made(slug, {"ann": 10, "bob": 20, "cyd": 30})
    found = queries.lookup(season, ["ann", "missing", "cyd", "ann"], version=2)
    assert found is not None
    assert rows(found.entries) == [(1, "cyd", 30), (3, "ann", 10)]


def test_a_correction_to_zero_is_shown_and_ranked(slug: str) -> None:
    made(slug, {"ann": 5000, "bob": 10})
    correct(slug, "ann", 2, corrected_score=0)
    season = board(slug)
    require_board(season, season.current, {"ann": 0, "bob": 10}, [])
    assert rank_of(season, "ann") == 2


def test_taking_the_first_of_five_off_leaves_four_and_voiding_that_brings_five(slug: str) -> None:
    scores = {"ann": 50, "bob": 40, "cyd": 30, "dee": 20, "eve": 10}
    made(slug, scores)
    removal = correct(slug, "ann", 2)
    season = board(slug)
    without = {player: score for player, score in scores.items() if player != "ann"}
    require_board(season, season.current, without, ["ann"])
    apply(slug, event("ann", 15, 3), event("ann", 60, 4), event("eve", 60, 2))
    correct(slug, "ann", 5, void_event_id=removal.event_id)
    season = board(slug)
    require_board(season, season.current, {**scores, "ann": 60, "eve": 60}, [])


def test_a_page_of_an_older_version_goes_on_as_it_began(slug: str) -> None:
    scores = numbered([100 - number for number in range(10)])
    first = made(slug, scores)
    apply(slug, event("player-009", 1000, 2), event("player-000", 200, 2), event("new", 95))
    correct(slug, "player-004", 2)
    board(slug)
    expected = display_order(scores)
    place = Place(*reversed_place(expected[4]))
    page = queries.players_after(first, place, version=2, limit=5)
    assert page is not None
    assert rows(page.entries) == expected[5:]
    require_board(first, 2, scores, ["new"])


def reversed_place(row: tuple[int, str, int]) -> tuple[int, int, str]:
    _, player_id, score = row
    return score, 0, player_id


@pytest.mark.parametrize("score", [0, 10, 15, 20, 249, 250, 251, 300, 1_000_000])
def test_a_page_at_a_score_begins_with_the_first_of_that_score_or_the_next(
    slug: str, score: int
) -> None:
    scores = {"ann": 300, "bob": 250, "cyd": 250, "dee": 20, "eve": 20, "fox": 0}
    season = made(slug, scores)
    expected = [row for row in display_order(scores) if row[2] <= score]
    assert rows(after(season, Place(score), 10)) == expected
    before = queries.players_before(season, Place(score), version=2, limit=10)
    assert before is not None
    assert rows(before.entries) == [row for row in display_order(scores) if row[2] > score]


def test_a_version_that_expired_is_gone_and_not_a_board_without_the_player(slug: str) -> None:
    season = made(slug, {"ann": 10})
    apply(slug, event("ann", 20, 2))
    board(slug)
    assert purge_versions(season.season_id, version_kept_seconds=0) == [1, 2]
    require_gone(season, 2, "ann")
    require_gone(season, 1, "ann")
    require_gone(season, 4, "ann")
    assert rank_of(season, "ann", 3) == 1
    assert rank_of(season, "nobody", 3) is None


def test_a_board_has_only_its_own_season(shared: str) -> None:
    one, other = (make_season(unused_slug()).slug for _ in range(2))
    made(one, {"ann": 10, "bob": 20})
    season = made(other, {"ann": 30})
    require_board(season, 2, {"ann": 30}, ["bob"])


def test_players_are_ordered_by_their_bytes_wherever_the_server_stands(slug: str) -> None:
    season = made(slug, {"b": 5, "B": 5, "a": 5, "A": 5, "_": 5, "-": 5, "a-b": 5, "a_b": 5})
    names = [entry.player_id for entry in after(season, None, 10)]
    assert names == sorted(names) == ["-", "A", "B", "_", "a", "a-b", "a_b", "b"]


SCORES = st.lists(st.sampled_from([100, 101, 349, 350, 600, 900]), min_size=1, max_size=30)


@given(first=SCORES, second=SCORES)
@settings(max_examples=10)
def test_every_read_of_two_versions_agrees_with_counting(
    shared: str, first: list[int], second: list[int]
) -> None:
    slug = make_season(unused_slug(), score_min=100, score_max=900).slug
    before = numbered(first)
    season = made(slug, before)
    raised = numbered(second)
    apply(slug, *(event(player, score, 2) for player, score in raised.items()))
    number = publish(slug).version or 0
    now = {player: max(before.get(player, 0), raised.get(player, 0)) for player in before | raised}
    require_board(season, 2, before, raised, [4])
    require_board(season, number, now, [], [4])
