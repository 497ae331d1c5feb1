"""Neighbours: by the short statement where that has the answer, else by the long one."""

import itertools
from collections.abc import Collection, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.operations import purge_versions
from leaderboard.queries import Neighbours, Published, neighbours
from leaderboard.queries.neighbours import _neighbours_unless_changed
from seasons.operations import seal_epoch
from tests.factories import apply, board, correct, event, make_season, move, publish, unused_slug
from tests.leaderboard.agreement import Read, require_around, require_neighbours
from tests.oracle import Board, Row, Standing, in_order

WIDEST = 50
RADII = (1, 3, 29, 30, WIDEST)
STANDING = {f"player-{number:02}": 1_000 - 10 * number for number in range(60)}
LETTERS = "aBcDeFgh"
SCORES = st.sampled_from([0, 1, 249, 250, 251, 600])

boards = st.dictionaries(st.sampled_from(LETTERS), SCORES, min_size=2)
# What becomes of whom after the version, in one epoch: another score, or none.
changes = st.dictionaries(st.sampled_from(LETTERS), st.one_of(SCORES, st.none()), max_size=4)


def short(season: Published, player: str, radius: int = 3, board: int = 0) -> Neighbours | None:
    return _neighbours_unless_changed(season, player, radius, board, "reads")


def long(season: Published, player: str, radius: int = 3, board: int = 0) -> Neighbours | None:
    not_the_current_one = season._replace(number=0)
    return neighbours(
        not_the_current_one, player, version=season.current, radius=radius, board=board
    )


def answered(
    season: Published, players: Collection[str], radii: Collection[int] = RADII, board: int = 0
) -> int:
    """Return how many questions the short statement had an answer to: that of the long one."""
    found = 0
    for player, radius in itertools.product(players, radii):
        answer = short(season, player, radius, board)
        assert answer in (None, long(season, player, radius, board))
        found += answer is not None
    return found


def names(found: Neighbours | None) -> list[str]:
    assert found is not None
    assert found.player is not None
    return [entry.player_id for entry in (*found.above, found.player, *found.below)]


def change(slug: str, wanted: Mapping[str, int | None], version: int) -> None:
    for player, score in wanted.items():
        members = {} if score is None else {"corrected_score": score}
        correct(slug, player, version, **members)


def ordered(scores: Board) -> list[Row]:
    return in_order({player: Standing(score) for player, score in scores.items()})


@pytest.fixture
def sixty(slug: str) -> Published:
    """Sixty players, ten points apart."""
    return board(slug, **STANDING)


def test_the_short_statement_has_all_answers_while_nothing_changes(sixty: Published) -> None:
    assert answered(sixty, STANDING, (0, *RADII)) == len(STANDING) * (1 + len(RADII))
    for radius in RADII:
        require_neighbours(Read(sixty, sixty.current), ordered(STANDING), STANDING, radius)
        require_around(Read(sixty, sixty.current), ordered(STANDING), STANDING, radius)


@pytest.mark.parametrize("sealed", [0, 1, 2])
@pytest.mark.parametrize("score", [2_000, 805, 795, 5, None])
def test_who_stood_among_them_and_has_changed_since_is_not_left_out(
    sixty: Published, score: int | None, sealed: int
) -> None:
    change(sixty.slug, {"player-20": score}, 2)
    for _ in range(sealed):
        seal_epoch(sixty.season_id)
    apply(sixty.slug, event("player-59", 411, 2))
    for number in (17, 18, 19, 20, 21, 22, 23):
        player = f"player-{number}"
        assert short(sixty, player) is None
        found = neighbours(sixty, player, version=sixty.current, radius=3)
        assert "player-20" in names(found)
    assert answered(sixty, ["player-16", "player-24"], [3]) == 2
    assert answered(sixty, STANDING) > len(STANDING)


def test_who_came_since_is_passed_over(sixty: Published) -> None:
    apply(sixty.slug, event("newcomer", 805), event("player-59", 806, 2))
    others = [f"player-{number}" for number in range(17, 24)]
    assert names(short(sixty, "player-20")) == others
    for player in ("player-59", "newcomer", "nobody"):
        assert short(sixty, player) is None
    newcomer = neighbours(sixty, "newcomer", version=sixty.current, radius=3)
    assert newcomer is not None
    assert newcomer[1:] == ([], None, [])


def test_who_changed_twice_since_stood_where_the_first_undo_says(sixty: Published) -> None:
    change(sixty.slug, {"player-20": 605}, 2)
    seal_epoch(sixty.season_id)
    change(sixty.slug, {"player-20": 50}, 3)
    assert short(sixty, "player-19") is None
    # Where the player was in between nobody stood at the version.
    assert names(short(sixty, "player-40")) == [f"player-{number}" for number in range(37, 44)]
    assert answered(sixty, STANDING) > len(STANDING)


def test_at_the_ends_of_the_board_all_beyond_is_looked_at(sixty: Published) -> None:
    change(sixty.slug, {"player-00": 3, "player-59": None}, 2)
    for player in ("player-01", "player-03", "player-58", "player-56"):
        assert short(sixty, player) is None
    assert answered(sixty, ["player-04", "player-55"], [3]) == 2
    assert answered(sixty, STANDING, (1, 3, WIDEST)) > 0


def test_the_players_of_a_tie_are_told_apart(slug: str) -> None:
    season = board(slug, **{f"p{number:02}": 42 for number in range(40)}, best=50, last=7)
    apply(slug, event("p20", 60, 2))
    assert [short(season, player) is None for player in ("p16", "p17", "p23", "p24")] == [
        *(False, True, True, False)
    ]
    found = short(season, "p10")
    assert found is not None
    assert found.player is not None
    assert (found.player.rank, found.above[0].rank) == (2, 2)
    assert answered(season, ["best", "last", *(f"p{number:02}" for number in range(40))]) > 40


def test_a_player_who_goes_to_another_region_is_missed_in_the_old_one_only(shared: str) -> None:
    slug = make_season(unused_slug(), regions=("EU", "NA")).slug
    players = [f"{slug}-{number:02}" for number in range(40)]
    move(**{player: "EU" if number % 2 else "NA" for number, player in enumerate(players)})
    season = board(slug, **{player: 7 * number for number, player in enumerate(players)})
    assert answered(season, players[1::2], RADII, board=1) == len(RADII) * 20
    move(**{players[21]: "NA"})
    beside, elsewhere = players[19], players[20]
    assert short(season, beside, 3, 1) is None
    found = neighbours(season, beside, version=season.current, radius=3, board=1)
    assert players[21] in names(found)
    assert players[21] not in names(short(season, elsewhere, 3, 2))
    for region in (1, 2):
        assert answered(season, players, RADII, board=region) > 0


def test_a_version_that_is_let_go_between_the_two_statements_is_gone(sixty: Published) -> None:
    apply(sixty.slug, event("player-20", 900, 2))
    assert short(sixty, "player-20") is None
    for score_version in (3, 4):
        apply(sixty.slug, event("player-20", 900 + score_version, score_version))
        publish(sixty.slug)
    assert sixty.current in purge_versions(sixty.season_id, version_kept_seconds=0)
    for player in ("player-20", "player-50", "nobody"):
        assert short(sixty, player) is None
        assert neighbours(sixty, player, version=sixty.current, radius=3) is None


@settings(max_examples=80)
@given(
    first=boards,
    then=st.lists(changes, min_size=1, max_size=3),
    tie_rule=st.sampled_from(["shared", "earliest"]),
)
def test_whatever_happens_after_a_version_its_neighbours_stay(
    shared: str, first: Board, then: list[dict[str, int | None]], tie_rule: str
) -> None:
    rules = {"tie_rule": tie_rule, "score_max": 600}
    season = board(make_season(unused_slug(), **rules).slug, **first)
    before = {
        (player, radius): long(season, player, radius)
        for player, radius in itertools.product(LETTERS, (0, 1, 2, 8))
    }
    for version, wanted in enumerate(then, 2):
        change(season.slug, {one: wanted[one] for one in wanted if one in first}, version)
        for (player, radius), expected in before.items():
            assert short(season, player, radius) in (None, expected)
            found = neighbours(season, player, version=season.current, radius=radius)
            assert found == expected
        if version % 2:
            seal_epoch(season.season_id)
    if tie_rule == "shared":
        for radius in (1, 2, 8):
            require_neighbours(Read(season, season.current), ordered(first), LETTERS, radius)
