"""Readers while players move, versions are made, and versions are let go."""

from functools import partial

import pytest

from leaderboard import queries
from leaderboard.operations import purge_versions, seal_and_publish
from leaderboard.queries import Published, published
from scores.models import Ledger
from seasons.models import Season
from tests.factories import apply, board, correct, event, publish
from tests.leaderboard.agreement import require_board, require_gone, rows
from tests.oracle import Board, display_order
from tests.races.harness import blocked, on_and_on, outcome, uncommitted

pytestmark = pytest.mark.race

MOVES = 60
STANDING = {f"player-{number:02}": 38_000 + 700 * number for number in range(20)}


def season_of(slug: str) -> Season:
    return Season.objects.get(slug=slug)


def board_at(slug: str, version: int) -> Board:
    """Return the board of a version as the ledger tells it, row by row."""
    shown: dict[str, int | None] = {}
    changes = Ledger.objects.filter(
        namespace=season_of(slug).namespace, epoch__lte=version, change_no__isnull=False
    ).order_by("id")
    for player_id, score in changes.values_list("player_id", "new_score"):
        shown[player_id] = score
    return {player: score for player, score in shown.items() if score is not None}


def test_a_player_who_moves_between_buckets_is_never_absent_and_never_twice(slug: str) -> None:
    board(slug, mover=39_000, **STANDING)
    seen: dict[int, list[tuple[int, int, int]]] = {}

    def look() -> None:
        season = published(slug)
        own = queries.rank_of_player(season, "mover", version=season.current)
        page = queries.players_after(season, None, version=season.current, limit=100)
        window = queries.neighbours(season, "mover", version=season.current, radius=3)
        assert own is not None
        assert page is not None
        assert window is not None
        assert window.player is not None
        assert own.rank is not None
        assert own.score is not None
        assert (window.player.rank, window.player.score) == (own.rank, own.score)
        assert [entry.player_id for entry in page.entries].count("mover") == 1
        assert len(page.entries) == own.members[0] == 21
        seen.setdefault(own.number, []).append((own.rank, own.score, len(page.entries)))

    with on_and_on(look, look, lambda: seal_and_publish(season_of(slug).id)):
        for version in range(2, 2 + 2 * MOVES, 2):
            apply(slug, event("mover", 51_000, version))
            correct(slug, "mover", version + 1, corrected_score=39_000)
    assert len(seen) > 3
    for number, looks in seen.items():
        ordered = display_order(board_at(slug, number))
        expected = {(rank, score) for rank, player, score in ordered if player == "mover"}
        assert {(rank, score) for rank, score, _ in looks} == expected
        assert len(ordered) == 21


def test_old_versions_stay_as_they_are_while_they_are_read_and_let_go(slug: str) -> None:
    board(slug, **STANDING)
    answers: list[tuple[int, list[tuple[int, str, int]]]] = []
    gone: list[int] = []

    def look(back: int) -> None:
        season = published(slug)
        version = max(1, season.current - back)
        page = queries.players_after(season, None, version=version, limit=100)
        if page is None:
            gone.append(version)
        else:
            answers.append((page.header.number, rows(page.entries)))

    def let_go() -> None:
        purge_versions(season_of(slug).id, version_kept_seconds=0.05)

    with on_and_on(partial(look, 1), partial(look, 7), let_go):
        for version in range(2, 40):
            players = list(STANDING)[version % 5 :: 5]
            apply(slug, *(event(player, 40_000 + version * 301, version) for player in players))
            publish(slug)
    assert gone
    for number, found in answers:
        assert found == display_order(board_at(slug, number))


def test_neighbours_are_those_of_one_version_whatever_is_let_go_while_they_are_asked_for(
    slug: str,
) -> None:
    board(slug, **STANDING)
    answers: list[tuple[int, list[tuple[int, str, int]]]] = []

    def look() -> None:
        season = published(slug)
        found = queries.neighbours(season, "player-10", version=season.current, radius=50)
        if found is not None:
            assert found.player is not None
            window = [*found.above, found.player, *found.below]
            answers.append((found.header.number, rows(window)))

    with on_and_on(look, look, lambda: purge_versions(season_of(slug).id, version_kept_seconds=0)):
        for version in range(2, 60):
            players = list(STANDING)[version % 5 :: 5]
            apply(slug, *(event(player, 40_000 + version * 301, version) for player in players))
            publish(slug)
    assert len({number for number, _ in answers}) > 3
    for number, found in answers:
        assert found == display_order(board_at(slug, number))


def test_a_version_is_whole_until_its_purge_commits(slug: str) -> None:
    first: Published = board(slug, ann=10, bob=20)
    apply(slug, event("ann", 30, 2))
    publish(slug)
    with uncommitted(lambda: purge_versions(first.season_id, version_kept_seconds=0)) as purge:
        require_board(published(slug), 2, {"ann": 10, "bob": 20}, [], [2])
        assert purge.go_on() == [1, 2]
    require_gone(published(slug), 2, "ann")
    require_board(published(slug), 3, {"ann": 30, "bob": 20}, [], [2])


def test_writers_and_publishers_do_not_wait_for_a_purge(slug: str) -> None:
    season = board(slug, ann=10, bob=20)
    apply(slug, event("ann", 30, 2))
    publish(slug)
    with uncommitted(lambda: purge_versions(season.season_id, version_kept_seconds=0)):
        apply(slug, event("ann", 40, 3))
        assert publish(slug).outcome == "published"
    last = published(slug)
    require_board(last, last.current, {"ann": 40, "bob": 20}, [], [2])


def test_two_purges_at_once_let_go_of_each_version_once(slug: str) -> None:
    season = board(slug, ann=10, bob=20)
    for version in range(2, 6):
        apply(slug, event("ann", 10 * version, version))
        publish(slug)
    with uncommitted(lambda: purge_versions(season.season_id, version_kept_seconds=0)) as first:
        second = blocked(lambda: purge_versions(season.season_id, version_kept_seconds=0))
        assert first.go_on() == [1, 2, 3, 4, 5]
    assert outcome(second) == []
    require_board(published(slug), 6, {"ann": 50, "bob": 20}, [], [2])
