"""What a run is asked to do."""

from dataclasses import dataclass

WRITERS = 4
READERS = 4


@dataclass(frozen=True, slots=True)
class Options:
    """Rates are per second; `reads` and `batch` of 0 stand for what suits the rate."""

    base_url: str
    season: str
    token: str
    rate: float = 200.0
    players: int = 2000
    seconds: float = 60.0
    reads: float = 0.0
    batch: int = 0
    seed: int = 0

    @property
    def reads_per_second(self) -> float:
        """Reads a second: a fifth of the events, from 10 to 200, unless given."""
        return self.reads or min(200.0, max(10.0, self.rate / 5))

    @property
    def largest_batch(self) -> int:
        """Events in the largest batch: a tenth of a second's, from 2 to 500, unless given."""
        return self.batch or int(min(500, max(2, self.rate // 10)))
