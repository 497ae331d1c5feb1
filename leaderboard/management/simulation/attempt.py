"""One write under way, noted in the books of all seasons that it may concern."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from time import monotonic

from leaderboard.management.simulation.book import Written
from leaderboard.management.simulation.season import Season
from leaderboard.management.simulation.stage import Stage

NOTHING: Mapping[str, Sequence[Written]] = {}


class Attempt:
    """
    A request of one writer, from before it is sent until all that it did is noted.

    `newest` has, for each season that still takes part, the newest version seen before.
    """

    def __init__(self, writer: int, stages: Iterable[Stage]) -> None:
        """Begin: no reply that may show it is judged before the end."""
        self.sent, self.sent_at = monotonic(), datetime.now(UTC)
        self._writer = writer
        self.newest: dict[Stage, int] = {}
        for stage in stages:
            newest = stage.book.begin_write(writer, self.sent)
            if newest is not None:
                self.newest[stage] = newest

    @property
    def seasons(self) -> list[Season]:
        """The seasons that it may concern."""
        return [stage.season for stage in self.newest]

    def end(self, written: Mapping[str, Sequence[Written]] = NOTHING) -> None:
        """Note what it did in which season."""
        answered = monotonic()
        for stage in self.newest:
            changes = written.get(stage.season.season_id, ())
            stage.book.end_write(self._writer, answered, changes)
