"""The season that plans are made for is a real one: what is read of it is right."""

from typing import NamedTuple

import pytest

from leaderboard.queries import Entry, neighbours, players_after, rank_of_player
from leaderboard.rules import competition_ranks
from tests.own_database import connect
from tests.plans.big_season import DEPTHS, PLAYERS, BigSeason
from tests.plans.cases_of_reads import AGES, LIMIT, RADIUS

AT_VERSION = """
SELECT player_id, new_score
FROM (
    SELECT DISTINCT ON (player_id) player_id, new_score
    FROM scores_ledger
    WHERE namespace = %s AND epoch <= %s
    ORDER BY player_id, change_no DESC
) AS shown
ORDER BY new_score DESC, player_id
"""


class Board(NamedTuple):
    """Everybody at a version, best first, as the ledger has them."""

    version: int
    entries: list[Entry]

    def place(self, player_id: str) -> int:
        return [entry.player_id for entry in self.entries].index(player_id)


@pytest.fixture(scope="module", params=AGES)
def board(request: pytest.FixtureRequest, big: BigSeason, database_of_module: str) -> Board:
    """Return the board of a version."""
    version = AGES[request.param](big)
    with connect(database_of_module) as connection:
        found = connection.execute(AT_VERSION, [big.season.namespace, version]).fetchall()
    ranks = competition_ranks([score for _, score in found])
    entries = [
        Entry(rank, player_id, score, 0)
        for rank, (player_id, score) in zip(ranks, found, strict=True)
    ]
    assert len(entries) == PLAYERS
    return Board(version, entries)


@pytest.mark.parametrize("player", ["first", "last", "in_tie", "changed_most"])
def test_a_rank_is_right(shared: str, big: BigSeason, board: Board, player: str) -> None:
    expected = board.entries[board.place(getattr(big, player))]
    found = rank_of_player(big.season, expected.player_id, version=board.version)
    assert found is not None
    assert (found.rank, found.score) == (expected.rank, expected.score)


@pytest.mark.parametrize("player", ["first", "last", "in_tie", "changed_most"])
def test_neighbours_are_right(shared: str, big: BigSeason, board: Board, player: str) -> None:
    place = board.place(getattr(big, player))
    found = neighbours(
        big.season, board.entries[place].player_id, version=board.version, radius=RADIUS
    )
    assert found is not None
    assert found.above == board.entries[max(0, place - RADIUS) : place]
    assert found.below == board.entries[place + 1 : place + 1 + RADIUS]


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_page_is_right(shared: str, big: BigSeason, board: Board, depth: int) -> None:
    before = big.places[depth]
    found = players_after(big.season, before, version=board.version, limit=LIMIT)
    first = sum(
        (-entry.score, entry.player_id) <= (-before.score, before.player_id)
        for entry in board.entries
    )
    assert found is not None
    assert found.entries == board.entries[first : first + LIMIT]
    assert found.more_after == (first + LIMIT < PLAYERS)
