"""One thread of players who look: goes from season to season and asks at a rate."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random
from threading import Event
from time import monotonic

from leaderboard.management.simulation.connection import Connection
from leaderboard.management.simulation.eye import Eye
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.play import Play
from leaderboard.management.simulation.reader import Reader
from leaderboard.management.simulation.stage import Stage
from leaderboard.management.simulation.tally import Tally

LONGEST_DEBT = 5.0
WAITING_RATE = 5.0
CROWD_PAUSE = 0.2


class Visitor:
    """Reads about the seasons of all plays, each play as often as the others."""

    def __init__(
        self,
        number: int,
        plays: Sequence[Play],
        connection: Connection,
        ears: tuple[Findings, Tally],
        random: Random,
    ) -> None:
        """Ask by this connection, as the reader of this number."""
        self._number, self._plays, self._connection = number, plays, connection
        self._findings, self._tally = ears
        self._random = random
        self._readers: dict[Stage, Reader] = {}

    def run(self, stop: Event, rate: float) -> None:
        """Visit `rate` times a second until told to stop."""
        self._at_rate(stop, rate, Reader.visit)

    def run_waiting(self, stop: Event) -> None:
        """Look at accepted results as soon as they are published, until told to stop."""
        self._at_rate(stop, WAITING_RATE, Reader.own_rank)

    def _at_rate(self, stop: Event, rate: float, visit: Callable[[Reader], None]) -> None:
        due = monotonic()
        while not stop.is_set():
            stop.wait(max(0.0, due - monotonic()))
            due = max(due, monotonic() - LONGEST_DEBT) + 1 / rate
            play = self._random.choice(self._plays)
            stages = play.roster.begun(datetime.now(UTC))
            if not stages:
                continue
            stage = self._random.choice(stages)
            if stage.checker.crowded:
                stop.wait(CROWD_PAUSE)
            else:
                visit(self._reader(play, stage))
        self._connection.close()

    def _reader(self, play: Play, stage: Stage) -> Reader:
        if stage not in self._readers:
            self._readers = {one: self._readers[one] for one in self._known()}
            eye = Eye(self._number, self._connection, stage, self._findings, self._tally)
            groups = (play.names, stage.everybody)
            self._readers[stage] = Reader(eye, groups, play.friendships, self._random)
        return self._readers[stage]

    def _known(self) -> list[Stage]:
        """Return the seasons known here that are still played."""
        stages = [stage for play in self._plays for stage in play.roster.stages]
        return [stage for stage in self._readers if stage in stages]
