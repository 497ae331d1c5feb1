"""Where the time of a publication goes."""

import time


class Laps:
    """The seconds of each phase, from one call to the next."""

    def __init__(self) -> None:
        """Begin now."""
        self.seconds: dict[str, float] = {}
        self._last = time.monotonic()

    def end(self, phase: str) -> None:
        """Count the time since the last phase ended as this one's."""
        now = time.monotonic()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + now - self._last
        self._last = now

    def __str__(self) -> str:
        """Return the phases as a line of the log tells them."""
        return " ".join(f"{phase}={seconds:.3f}" for phase, seconds in self.seconds.items())
