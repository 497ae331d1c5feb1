"""Counts and times of a run, from all threads."""

from array import array
from collections import Counter, defaultdict
from threading import Lock


class Tally:
    """How much was done, with what outcome, and how long it took."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lock = Lock()
        self.outcomes: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.seconds: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))

    def took(self, kind: str, seconds: float) -> None:
        """Note how long a request of this kind took."""
        with self._lock:
            self.seconds[kind].append(seconds)

    def count(self, what: str, number: int = 1) -> None:
        """Count something that happened."""
        with self._lock:
            self.counts[what] += number

    def add_outcomes(self, outcomes: list[str]) -> None:
        """Count the receipts of a request by outcome."""
        with self._lock:
            self.outcomes.update(outcomes)
