"""Everything that belongs to one season while it is played, and the seasons that are."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from threading import Lock
from time import monotonic

from leaderboard.management.simulation.book import Boards, Book
from leaderboard.management.simulation.checker import Checker
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.follower import Follower
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.questions import Asker
from leaderboard.management.simulation.season import Season


class Stage:
    """One season as it is played: its book, who judges by it, and who follows its feed."""

    def __init__(
        self,
        season: Season,
        boards: Boards,
        own: str,
        follower: Follower,
        friendships: Friendships,
        findings: Findings,
    ) -> None:
        """Begin with the boards as they were read; ids of events begin with `own`."""
        self.season, self.follower = season, follower
        self.asker = Asker(season.season_id)
        self.book = Book(boards, own, monotonic())
        self.checker = Checker(self.book, season, friendships, findings)
        self.everybody = [name for name, _ in boards.everybody]

    @property
    def scores(self) -> tuple[int, int]:
        """The lowest and the highest score."""
        return self.season.score_min, self.season.score_max

    def follow(self) -> int:
        """Read a page of the feed and have it judged; return how many changes it had."""
        return self.follower.step(self.checker.submit_page)


class Roster:
    """The seasons that are played now, and what remains of those that are over."""

    def __init__(self, stages: Sequence[Stage] = ()) -> None:
        """Begin with these."""
        self._lock = Lock()
        self._stages: Mapping[str, Stage] = {one.season.season_id: one for one in stages}
        self._judged = 0
        self._delays: list[float] = []
        self.played: list[str] = list(self._stages)

    @property
    def stages(self) -> list[Stage]:
        """The seasons that are played now, those that are still to begin among them."""
        return list(self._stages.values())

    def begun(self, now: datetime) -> list[Stage]:
        """Return those that have begun."""
        return [stage for stage in self.stages if not stage.season.is_before(now)]

    def add(self, stage: Stage) -> None:
        """Let a season be played from now on."""
        with self._lock:
            self._stages = {**self._stages, stage.season.season_id: stage}
            self.played.append(stage.season.season_id)

    def remove(self, stage: Stage) -> None:
        """Let go of a season."""
        with self._lock:
            self._stages = {name: one for name, one in self._stages.items() if one is not stage}

    def keep(self, stage: Stage) -> None:
        """Keep the figures of a season that was let go."""
        with self._lock:
            self._judged += stage.checker.judged
            self._delays += stage.book.sightings.delays

    @property
    def judged(self) -> int:
        """How many replies were judged."""
        return self._judged + sum(stage.checker.judged for stage in self.stages)

    @property
    def delays(self) -> list[float]:
        """How long accepted events took to be seen."""
        return [*self._delays, *(one for s in self.stages for one in s.book.sightings.delays)]
