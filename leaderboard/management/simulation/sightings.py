"""Which versions were seen when, and how long accepted events took to be seen. Pure."""

from bisect import bisect_left
from heapq import heappop, heappush

from leaderboard.management.simulation.moves import Promises

NEVER = float("inf")
# A process may answer by what it knew so long ago.
KNOWN_SINCE = 1.0


class Sightings:
    """Versions as replies showed them."""

    def __init__(self, version: int, now: float) -> None:
        """Begin with the version that the board was read at."""
        self._versions = [version]
        self._times = [now]
        self._current: dict[int, float] = {version: now}
        self._waiting: list[tuple[int, float]] = []
        self.delays: list[float] = []
        self.promises = Promises()

    @property
    def newest(self) -> int:
        """The highest version seen."""
        return self._versions[-1]

    def saw(self, version: int, sent: float, arrived: float, age: float | None = None) -> None:
        """Note a reply that showed `version` as the current one, at an age of so many seconds."""
        if age is not None:
            self.promises.sealed(version, sent - age - KNOWN_SINCE, arrived)
        self._current[version] = max(sent, self._current.get(version, sent))
        if version > self.newest:
            self._versions.append(version)
            self._times.append(arrived)
        while self._waiting and self._waiting[0][0] <= version:
            self.delays.append(arrived - heappop(self._waiting)[1])

    def wait_for(self, version: int, sent: float) -> None:
        """Measure how long it takes from `sent` until a reply shows `version` or a newer one."""
        if version <= self.newest:
            self.delays.append(max(0.0, self.first_seen(version) - sent))
        else:
            heappush(self._waiting, (version, sent))

    def first_seen(self, version: int) -> float:
        """Return when a version at or above this one was first seen."""
        at = bisect_left(self._versions, version)
        return self._times[at] if at < len(self._times) else NEVER

    def last_current(self, version: int) -> float:
        """Return the latest time of asking at which this version was current."""
        return self._current.get(version, -NEVER)

    def seen_between(self, low: int, high: int) -> list[int]:
        """Return the versions seen from `low` up to, but without, `high`."""
        return self._versions[bisect_left(self._versions, low) : bisect_left(self._versions, high)]

    def since(self, version: int) -> list[int]:
        """Return the versions seen that are not below this one."""
        return self._versions[bisect_left(self._versions, version) :]
