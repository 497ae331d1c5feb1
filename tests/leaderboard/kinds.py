"""Seasons of every kind with a fixed history, beside the oracle that knows what they show."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from leaderboard.queries import published
from leaderboard.rules import gains, ordered
from seasons.models import Season
from tests.factories import make_season, unused_slug
from tests.leaderboard import agreement
from tests.oracle import Row, in_order
from tests.play import Play, Wanted

REGIONS = ("EU", "NA")
KINDS: dict[str, dict[str, Any]] = {
    "regions": {"regions": REGIONS, "score_max": 40},
    "earliest": {"tie_rule": "earliest", "score_max": 40},
    "earliest of regions": {"tie_rule": "earliest", "regions": REGIONS, "score_max": 8},
    "wide": {"score_max": 1_000_000_000},
    "latest": {"keep": "latest", "regions": REGIONS, "score_max": 40},
    "ascending": {"order": "asc", "regions": REGIONS, "score_min": 3, "score_max": 43},
    "earliest, latest, ascending": {
        "tie_rule": "earliest",
        "keep": "latest",
        "order": "asc",
        "score_max": 20,
    },
}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ROUNDS = 6


class Model:
    """A season, its oracle, and what chance lets its players do."""

    def __init__(self, season: Season, rng: random.Random) -> None:
        self.season = published(season.slug)
        self.beside = Play(season)
        self.oracle = self.beside.oracle
        self.rng = rng
        # Profiles are the same for all seasons: each season has players of its own.
        self.players = [f"{season.slug}-player-{number:02}" for number in range(40)]
        self.versions: list[int] = []
        self.beside.befriend(self.players[0], [*self.players[1:20:3], "nobody"], 1)

    @property
    def shown(self) -> list[str]:
        """Return the players on the global board of now, by id."""
        return sorted(name for name, player in self.oracle.players.items() if player.shown)

    def play(self) -> None:
        """Let some players have results, one be corrected, and some move."""
        self.follow()
        sample = self.rng.sample(self.players, 15)
        self.beside.results(*(Wanted(who, self.score(), 1, self.moment()) for who in sample))
        self.correct(self.rng.choice(self.shown))
        if self.season.regions:
            self.move(self.rng.sample(self.players, 6))

    def correct(self, player: str) -> None:
        """Set a player's score, who keeps the time."""
        self.follow()
        self.beside.correct(player, 1, corrected_score=self.score())

    def move(self, players: list[str]) -> None:
        regions = [*REGIONS, "elsewhere", None]
        self.beside.profiles(*((player, self.rng.choice(regions), 1) for player in players))

    def publish(self) -> None:
        """Publish what is accepted, which is something."""
        self.beside.seal()
        version = self.beside.publish()
        assert version is not None
        self.versions.append(version)

    def follow(self) -> None:
        """Let the oracle know which epoch is open: others seal, too."""
        self.oracle.epoch = self.beside.open_epoch

    def board(self, version: int, region: str | None) -> list[Row]:
        """Return the rows of a board at a version."""
        return in_order(self.oracle.board_at(version, region), self.season.order)

    def score(self) -> int:
        low, high = self.season.score_min, self.season.score_max
        return self.rng.choice([low, high, self.rng.randint(low, min(high, low + 12))])

    def moment(self) -> datetime:
        return NOON + timedelta(seconds=self.rng.randrange(5))


@contextmanager
def small_buckets() -> Iterator[None]:
    """Let buckets be so small that they are split, and settled, again and again."""
    with (
        patch.object(ordered, "SPLIT_ABOVE", 5),
        patch.object(ordered, "BUCKET_SIZE", 2),
        patch("leaderboard.queries.ordered.BUCKET_SIZE", 2),
        patch.object(ordered, "FIRST_BUCKETS", 3),
        patch.object(gains, "MOST_ENTRIES", 5),
    ):
        yield


def play(kind: str, rounds: int = ROUNDS) -> Model:
    """Return a season of a kind in which some rounds were played and published, one not."""
    times = {"starts_at": NOON - timedelta(days=1), "cutoff_at": datetime.now(UTC) + timedelta(1)}
    season = make_season(unused_slug(), **times, **KINDS[kind])
    played = Model(season, random.Random(kind))
    if season.regions:
        played.move(played.players)
    for _ in range(rounds):
        played.play()
        played.publish()
    played.play()
    return played


def require_version(model: Model, version: int) -> None:
    """Every board of a version is what the oracle says."""
    season = published(model.season.slug)
    agreement.require_version(season, version, model.oracle, model.players[::3], [7])
