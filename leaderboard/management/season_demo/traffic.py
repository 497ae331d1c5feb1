"""Results as a match service sends them: disordered, repeated, some with an id used before."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from leaderboard.management.simulation.population import new_name
from leaderboard.management.simulation.season import text_of

LARGEST_BATCH, SMALLEST_BATCH = 1000, 20
HIGHEST = 1_000_000
USUAL_HIGHEST = 900_000
VERSIONS = {1: 40, 2: 25, 3: 20, 4: 10, 5: 5}
REPEATED, CLASHING, TOO_EARLY = 0.05, 0.002, 0.001
# Of two versions in a row, one in eighteen pairs arrives the wrong way round.
DISORDER = 1.5
AT_ONCE = 0.02


class Event(NamedTuple):
    """A result as it is sent."""

    event_id: str
    match_id: str
    player_id: str
    best_score: int
    score_version: int
    completed_at: str


class Traffic:
    """Makes the results of so many players."""

    def __init__(self, random: Random, run_id: str, players: int, starts_at: datetime) -> None:
        """Begin with players who have not played."""
        self._random, self._run_id, self._starts_at = random, run_id, starts_at
        self._made = 0
        # A small season has batches enough for its events to be out of order too.
        self._batch = min(LARGEST_BATCH, max(SMALLEST_BATCH, players // 10))
        self.names = [new_name(run_id, number) for number in range(players)]
        self.versions: dict[str, int] = {}

    def season(self) -> list[Event]:
        """Return the results of everybody, in the order in which they arrive."""
        arriving = [pair for name in self.names for pair in self._career(name)]
        arriving.sort(key=lambda pair: pair[0])
        return [event for _, event in arriving]

    def batches(self, events: Iterable[Event]) -> Iterator[list[Event]]:
        """Yield them in batches, some again and some ids with another score."""
        sent: list[Event] = []
        batch: list[Event] = []
        for event in events:
            sent.append(event)
            batch.append(event)
            batch.extend(self._again(sent))
            if len(batch) >= self._batch:
                yield batch[: self._batch]
                batch = batch[self._batch :]
        if batch:
            yield batch

    def event(self, player: str, score: int, completed_at: str | None = None) -> Event:
        """Return a result of the player with the next version."""
        self._made += 1
        version = self.next_version(player)
        match = f"match-{self._run_id}-{self._made // 10}"
        event_id = f"{self._run_id}-{self._made:08d}"
        return Event(event_id, match, player, score, version, completed_at or self._moment())

    def next_version(self, player: str) -> int:
        """Return a version above all that the player was given."""
        self.versions[player] = self.versions.get(player, 0) + 1
        return self.versions[player]

    def _career(self, player: str) -> Iterator[tuple[float, Event]]:
        """Yield a player's results with the times at which they arrive, in no unit."""
        (number,) = self._random.choices(list(VERSIONS), list(VERSIONS.values()))
        skill = self._random.betavariate(2, 4)
        at_once = self._random.random() < AT_ONCE
        begins = self._random.random() * 3
        for version in range(1, number + 1):
            after = 0.0 if at_once else version + self._random.random() * DISORDER
            yield begins + after, self.event(player, self._score(skill))
        if self._random.random() < TOO_EARLY:
            early = text_of(self._starts_at - timedelta(microseconds=1))
            yield begins, self.event(player, HIGHEST, early)._replace(score_version=1)

    def _score(self, skill: float) -> int:
        score = int(USUAL_HIGHEST * min(1.0, skill * self._random.uniform(0.7, 1.1)))
        return score // 1000 * 1000 if self._random.random() < 0.5 else score

    def _again(self, sent: list[Event]) -> Iterator[Event]:
        if self._random.random() < REPEATED:
            yield self._random.choice(sent)
        if self._random.random() < CLASHING:
            event = self._random.choice(sent)
            yield event._replace(best_score=(event.best_score + 1) % HIGHEST)

    def _moment(self) -> str:
        return text_of(self._starts_at + timedelta(seconds=self._random.random()))
