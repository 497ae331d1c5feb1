"""When a process that ended may start again."""

from collections import deque
from dataclasses import dataclass, field

LIMIT = 5
WINDOW = 60.0
FIRST_PAUSE = 0.25


@dataclass
class Restarts:
    """The deaths of one process within the last minute."""

    deaths: deque[float] = field(default_factory=deque)

    def pause_after_death(self, now: float) -> float | None:
        """
        Count a death at `now` (seconds of any clock) and return the pause before the next start.

        The pause doubles with each death of the last minute; the fifth one gives None: give up.
        """
        self.deaths.append(now)
        while self.deaths[0] <= now - WINDOW:
            self.deaths.popleft()
        recent = len(self.deaths)
        return None if recent >= LIMIT else float(FIRST_PAUSE * 2 ** (recent - 1))
