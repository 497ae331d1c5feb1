"""What every measurement works with."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from tqdm import tqdm

from leaderboard.management.benchmarks.connecting import Connection, wait_until_others_are_done
from seasons.models import Season

Measured = TypeVar("Measured")


class Options(NamedTuple):
    """How much is measured, and of what size."""

    players: tuple[int, ...]
    only: frozenset[str]
    seconds: int
    repeat: int
    clients: tuple[int, ...]
    rate: int
    reads: int
    warm_up: int
    changes: int
    batches: int
    connections: int
    seasons: int
    results_per_player: int
    json: Path | None
    drop: bool = False
    costs: Path | None = None
    plot: Path | None = None


class Bench(NamedTuple):
    """The seasons, smallest first, and a connection of the benchmark's own."""

    options: Options
    connection: Connection
    seasons: Mapping[int, Season]

    @property
    def smallest(self) -> Season:
        """Return the season with the fewest players."""
        return self.seasons[min(self.seasons)]

    @property
    def largest(self) -> Season:
        """Return the season with the most players."""
        return self.seasons[max(self.seasons)]

    def in_turn(
        self, what: str, ways: Mapping[str, Callable[[], Measured]]
    ) -> dict[str, list[Measured]]:
        """Measure each way once, then each again, as often as asked: A B, A B, ..."""
        measured: dict[str, list[Measured]] = {name: [] for name in ways}
        for name, way in self._turns(what, ways):
            measured[name].append(way())
        return measured

    def _turns(
        self, what: str, ways: Mapping[str, Callable[[], Measured]]
    ) -> Iterator[tuple[str, Callable[[], Measured]]]:
        turns = [*ways.items()] * self.options.repeat
        for name, way in (bar := tqdm(turns, desc=what, leave=False)):
            bar.set_postfix_str(name)
            # Long reads of the turn before go on when their client has left.
            wait_until_others_are_done(self.connection)
            yield name, way
