"""Boards that get other buckets while everything else goes on: every answer is one board's."""

import itertools
import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from config.errors import Unavailable, VersionExpired
from leaderboard import queries
from leaderboard.models import Layout, Version
from leaderboard.operations import purge_versions, seal_and_publish
from leaderboard.operations.relayout import (
    CannotRelayout,
    begun_at,
    evened_out,
    relayout_board,
    with_bucket_cut,
)
from leaderboard.queries import Entry, published
from leaderboard.rules import Key
from scores.models import Ledger
from scores.operations.set_profiles import set_profiles
from scores.rules import Profile
from seasons.models import Season
from tests.factories import apply, correct, event, make_season, publish, unused_slug
from tests.leaderboard.kinds import NOON, small_buckets
from tests.races.harness import on_and_on

pytestmark = pytest.mark.race

REGIONS = ("EU", "NA")
KEPT_SECONDS = 0.5
# A score, its tie key, and the region's board.
Shown = list[Any]


@pytest.fixture(autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


class Life:
    """A season whose boards get other buckets, and what its readers were told."""

    def __init__(self, season: Season) -> None:
        self.slug, self.season_id, self.namespace = season.slug, season.id, season.namespace
        self.players = [f"{season.slug}-{number:02}" for number in range(60)]
        self.versions = itertools.count(1)
        self.told: list[tuple[int, int, list[Entry]]] = []
        self.relaid = 0

    def write(self) -> None:
        batch = [
            event(
                player,
                random.randint(0, 40),
                next(self.versions),
                completed_at=NOON + timedelta(seconds=random.randrange(9)),
            )
            for player in random.choices(self.players, k=random.randint(1, 12))
        ]
        apply(self.slug, *batch)

    def correct(self) -> None:
        kinds: list[dict[str, Any]] = [{}, {"corrected_score": random.randint(0, 40)}]
        player = random.choice(self.players)
        correct(self.slug, player, next(self.versions), **random.choice(kinds))

    def move(self) -> None:
        moved = random.sample(self.players, 4)
        number = next(self.versions)
        set_profiles([Profile(one, random.choice([*REGIONS, None]), number) for one in moved])

    def beat(self) -> None:
        seal_and_publish(self.season_id)

    def purge(self) -> None:
        purge_versions(self.season_id, version_kept_seconds=KEPT_SECONDS)

    def relay(self) -> None:
        keys = [(random.randint(0, 40), 0) for _ in range(3)]
        wishes = [evened_out, with_bucket_cut(random.randint(0, 12)), begun_at(keys)]
        try:
            done = relayout_board(
                self.slug, random.choice(wishes), region=random.choice([None, *REGIONS])
            )
        except (CannotRelayout, Unavailable, VersionExpired):
            return
        assert done.version is not None
        self.relaid += 1

    def read(self) -> None:
        """Read a version that is current, or was a moment ago, whole."""
        season = published(self.slug)
        version = max(1, season.current - random.choice([0, 0, 3, 9]))
        board = random.randrange(3)
        page = queries.players_after(season, None, version=version, limit=100, board=board)
        if page is None:
            return
        player = random.choice(self.players)
        own = queries.rank_of_player(season, player, version=version, board=board)
        around = queries.neighbours(season, player, version=version, radius=3, board=board)
        if own is None or around is None:
            return
        self.told.append((version, board, page.entries))
        mine = [entry for entry in page.entries if entry.player_id == player]
        assert own.members[board] == len(page.entries)
        assert [one.rank for one in mine] == [own.rank][: len(mine)]
        window = [*around.above, *filter(None, [around.player]), *around.below]
        assert [entry for entry in page.entries if entry in window] == window

    def boards(self, numbers: set[int]) -> dict[int, dict[str, Shown]]:
        """Return what versions show of players, as the ledger tells it row by row."""
        changes = Ledger.objects.filter(namespace=self.namespace, change_no__isnull=False)
        rows = list(
            changes.order_by("epoch", "id").values_list(
                "epoch", "player_id", "new_score", "new_tie_key", "new_region"
            )
        )
        boards: dict[int, dict[str, Shown]] = {}
        for number in numbers:
            shown = {player: standing for at, player, *standing in rows if at <= number}
            boards[number] = {one: it for one, it in shown.items() if it[0] is not None}
        return boards


def entries(shown: dict[str, Shown], board: int) -> list[Entry]:
    """Return a board in display order, ranks counted in plain Python."""
    keys: dict[str, Key] = {
        player: (score, tie_key)
        for player, (score, tie_key, region) in shown.items()
        if board in {0, region}
    }
    order = sorted(keys, key=lambda player: (-keys[player][0], keys[player][1], player))
    places = [(-keys[player][0], keys[player][1]) for player in order]
    return [
        Entry(1 + places.index(place), player, *keys[player])
        for player, place in zip(order, places, strict=True)
    ]


def live(relaid: int) -> None:
    season = make_season(
        unused_slug(),
        starts_at=NOON - timedelta(days=1),
        tie_rule="earliest",
        regions=REGIONS,
        score_max=40,
    )
    life = Life(season)
    life.move()
    life.write()
    everything = (life.write, life.correct, life.move, life.beat, life.purge, life.read, life.read)
    with on_and_on(*everything, life.relay):
        for _ in range(1000 * relaid):
            life.write()
            if life.relaid >= relaid:
                break
    publish(life.slug)
    last = published(life.slug)
    boards = life.boards({last.current, *(version for version, _, _ in life.told)})
    assert life.relaid >= relaid
    assert len(boards) > 3
    for version, board, found in life.told:
        assert found == entries(boards[version], board)
    for board in range(3):
        page = queries.players_after(last, None, version=last.current, limit=100, board=board)
        assert page is not None
        assert page.entries == entries(boards[last.current], board)
    _require_layouts_of_kept_versions(life)


def _require_layouts_of_kept_versions(life: Life) -> None:
    life.purge()
    named = set(
        Version.objects.filter(season_id=life.season_id).values_list("layout_id", flat=True)
    )
    layouts = Layout.objects.filter(season_id=life.season_id)
    assert set(layouts.values_list("id", flat=True)) >= named


def test_with_a_few_layouts(shared: str) -> None:
    live(6)


@pytest.mark.slow
def test_with_hundreds_of_layouts(shared: str) -> None:
    live(300)
