"""What a run is asked to do."""

from dataclasses import dataclass

WRITERS = 4
READERS = 4


@dataclass(frozen=True, slots=True)
class Options:
    """
    Rates are per second; `reads` and `batch` of 0 stand for what suits the rate.

    With a `series` the events and reads are shared: one half to the season, one to the series.
    """

    base_url: str
    season: str
    token: str
    rate: float = 200.0
    players: int = 2000
    seconds: float = 60.0
    reads: float = 0.0
    batch: int = 0
    seed: int = 0
    series: str = ""

    @property
    def reads_per_second(self) -> float:
        """Reads a second: a fifth of the events, from 10 to 200, unless given."""
        return self.reads or min(200.0, max(10.0, self.rate / 5))

    @property
    def rate_of_each(self) -> float:
        """Events a second that go to the season, and to the series if there is one."""
        return self.rate / 2 if self.series else self.rate

    @property
    def largest_batch(self) -> int:
        """Events in the largest batch: a tenth of a second's, from 2 to 500, unless given."""
        return self.batch or int(min(500, max(2, self.rate_of_each // 10)))
