"""Writers, corrections, beats, purges and readers at once: every answer is one board's."""

import itertools
import random
from collections.abc import Iterable
from typing import Any

import pytest

from leaderboard import queries
from leaderboard.operations import purge_versions, seal_and_publish
from leaderboard.queries import Position, published
from scores.models import Ledger
from seasons.models import Season
from tests.factories import apply, correct, event, make_season, publish, unused_slug
from tests.leaderboard.agreement import require_board, rows
from tests.oracle import Board, display_order
from tests.races.harness import on_and_on

pytestmark = pytest.mark.race

PLAYERS = [f"player-{number:02}" for number in range(40)]
KEPT_SECONDS = 0.3


class Life:
    """A season on which everything happens, and what its readers were told."""

    def __init__(self, season: Season) -> None:
        self.slug, self.season_id, self.namespace = season.slug, season.id, season.namespace
        self.versions = itertools.count(1)
        self.told: list[tuple[int, list[tuple[int, str, int]]]] = []

    def write(self) -> None:
        batch = [
            event(player, random.randint(0, 600), next(self.versions))
            for player in random.choices(PLAYERS, k=random.randint(1, 12))
        ]
        receipts = apply(self.slug, *batch, *batch[:2])
        assert len(receipts) == len(batch) + len(batch[:2])

    def correct(self) -> None:
        player = random.choice(PLAYERS)
        own = Ledger.objects.filter(namespace=self.namespace, player_id=player)
        results = own.filter(kind="result").values_list("event_id", flat=True)[:50]
        kinds: list[dict[str, Any]] = [{}, {"corrected_score": random.randint(0, 600)}]
        kinds += [{"void_event_id": event_id} for event_id in results]
        correct(self.slug, player, next(self.versions), **random.choice(kinds))

    def beat(self) -> None:
        seal_and_publish(self.season_id)

    def purge(self) -> None:
        purge_versions(self.season_id, version_kept_seconds=KEPT_SECONDS)

    def read(self) -> None:
        season = published(self.slug)
        player = random.choice(PLAYERS)
        page = queries.players_after(season, None, version=season.current, limit=100)
        own = queries.rank_of_player(season, player, version=season.current)
        window = queries.neighbours(season, player, version=season.current, radius=4)
        if page is None or own is None or window is None:
            return  # It was replaced and let go while it was read: said, not guessed.
        board = {entry.player_id: entry.score for entry in page.entries}
        assert own.members == [len(page.entries)]
        assert own.score == board.get(player)
        around = rows([*window.above, *filter(None, [window.player]), *window.below])
        assert [row for row in rows(page.entries) if row in around] == around
        self.told.append((page.header.number, rows(page.entries)))

    def boards(self, numbers: Iterable[int]) -> dict[int, Board]:
        """Return the boards of versions as the ledger tells them, row by row."""
        changes = iter(
            Ledger.objects.filter(namespace=self.namespace, change_no__isnull=False)
            .order_by("epoch", "id")
            .values_list("epoch", "player_id", "new_score")
        )
        shown: dict[str, int | None] = {}
        boards = {}
        following = next(changes, None)
        for number in sorted(numbers):
            while following is not None and following[0] <= number:
                shown[following[1]] = following[2]
                following = next(changes, None)
            boards[number] = {name: score for name, score in shown.items() if score is not None}
        return boards


def live(season: Season, batches: int) -> None:
    life = Life(season)
    with on_and_on(life.write, life.correct, life.beat, life.purge, life.read):
        for _ in range(batches):
            life.write()
    publish(life.slug)
    last = published(life.slug)
    boards = life.boards({last.current, *(number for number, _ in life.told)})
    assert len(boards) > 3
    require_board(last, last.current, boards[last.current], PLAYERS)
    for number, found in life.told:
        assert found == display_order(boards[number])
    _require_every_change_told_once(life)


def _require_every_change_told_once(life: Life) -> None:
    position, told = Position(), []
    season = published(life.slug)
    while found := queries.changes(season, position, limit=100):
        told += [row.event_id for row in found.rows]
        if found.next == position or not found.rows:
            break
        position = found.next
    visible = Ledger.objects.filter(namespace=life.namespace, visible_in_version__isnull=False)
    assert sorted(told) == sorted(visible.values_list("event_id", flat=True))


def test_for_a_few_hundred_batches(shared: str) -> None:
    live(make_season(unused_slug(), score_max=600), 200)


@pytest.mark.slow
def test_for_thousands_of_batches(shared: str) -> None:
    live(make_season(unused_slug(), score_max=600), 3_000)
