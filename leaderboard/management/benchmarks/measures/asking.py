"""The reads as a web process asks, against the barest look-up over the same connection."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle

import numpy as np

from config import db
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.figures import Figure, at_least, ratios
from leaderboard.management.benchmarks.measures.reading import BARE, BARE_LOOK_UP, RADIUS
from leaderboard.management.benchmarks.players import ids_of
from leaderboard.queries import published
from leaderboard.queries.neighbours import neighbours
from leaderboard.queries.rank_of_player import RankOfPlayer, rank_of_player
from leaderboard.queries.window import top

DRAWN = 100_000
TOP = 100
# As often as a web process does, the loop asks which version is current.
SECONDS_KNOWN = 0.1
GOALS = {"rank": at_least(0.8), "neighbours": at_least(0.35)}

Read = Callable[[str], object]


class Asker:
    """Asks for one player after the other, at the version that is current."""

    def __init__(self, slug: str, players: int) -> None:
        """Draw the players, and look the season up."""
        drawn = np.random.default_rng(players).integers(players, size=DRAWN)
        self._ids = cycle(ids_of(drawn).astype("U").tolist())
        self._slug = slug
        self._season = published(slug)
        bare = BARE_LOOK_UP.replace(":player_id", "%(player_id)s")
        self._bare = db.Statement(bare.format(namespace=self._season.namespace))
        self._known_until = 0.0

    def bare(self, player_id: str) -> object:
        """Look a best up by its key."""
        return db.fetch_one(_as_found, self._bare, using=db.READS, player_id=player_id)

    def rank(self, player_id: str) -> RankOfPlayer:
        """Ask for a rank."""
        found = rank_of_player(self._season, player_id, version=self._season.current)
        assert found is not None
        return found

    def neighbours(self, player_id: str) -> object:
        """Ask for the neighbours each way, with their ranks."""
        return neighbours(self._season, player_id, version=self._season.current, radius=RADIUS)

    def top(self, _: str) -> object:
        """Ask for the first hundred."""
        return top(self._season, version=self._season.current, limit=TOP)

    def drawn(self, number: int) -> list[str]:
        """Return the next so many of the drawn players."""
        return [next(self._ids) for _ in range(number)]

    def rate(self, read: Read, seconds: float) -> float:
        """Ask for so long, and return how many a second were answered."""
        began = now = time.perf_counter()
        asked = 0
        while now - began < seconds:
            if now >= self._known_until:
                self._season = published(self._slug)
                self._known_until = now + SECONDS_KNOWN
            read(next(self._ids))
            asked += 1
            now = time.perf_counter()
        return asked / (now - began)


def asking(bench: Bench, conditions: str) -> Iterator[Figure]:
    """Ask in turn for the bare look-up, the rank and the neighbours of players drawn at random."""
    players = max(bench.seasons)
    asker = Asker(bench.largest.slug, players)
    reads: dict[str, Read] = {
        BARE: asker.bare,
        "rank": asker.rank,
        "neighbours": asker.neighbours,
    }
    where = f"{conditions}, {players:,} players, as a web process asks"
    ways = {name: partial(asker.rate, read, bench.options.seconds) for name, read in reads.items()}
    rates = {
        name: Figure(f"{name}, {where}", "1/s", found)
        for name, found in bench.in_turn(f"reads {where}", ways).items()
    }
    yield from rates.values()
    for name, goal in GOALS.items():
        yield ratios(f"{name} / bare, {where}", rates[name], rates[BARE], goal)


def _as_found(*columns: object) -> object:
    return columns
