"""The measured costs by their keys, and what lies between two of them."""

from collections.abc import Mapping

from leaderboard.management.capacity.kept import Cost

# The share of results that improve in the two kinds of batches that are measured.
FEW_IMPROVE = 0.1
MADE_BY = {
    "web_us.improving": "http",
    "web_us.mixed": "http",
    "db_us.improving": "http",
    "db_us.mixed": "http",
    "wal_bytes.improving": "http",
    "wal_bytes.mixed": "http",
    "rebuild_us.player": "rebuild",
}


class Missing(LookupError):
    """A cost that was never measured on this machine."""


class Costs:
    """What operations cost on the machine that was measured."""

    def __init__(self, kept: Mapping[str, Cost]) -> None:
        """Take what the benchmark kept."""
        self._kept = kept

    def of(self, key: str) -> float:
        """Return a cost; raise Missing, with the command that measures it."""
        cost = self._kept.get(key)
        if cost is None:
            only = MADE_BY.get(key, "costs")
            raise Missing(f'{key} was not measured: make benchmark ARGS="--only {only}"')
        return cost.value

    def known(self, key: str) -> float | None:
        """Return a cost that one can do without; None if it was not measured."""
        cost = self._kept.get(key)
        return None if cost is None else cost.value

    def of_result(self, what: str, improve: float) -> float:
        """Return the cost of a result, of which a share improves: on the line through both."""
        few, all_improve = self.of(f"{what}.mixed"), self.of(f"{what}.improving")
        slope = (all_improve - few) / (1 - FEW_IMPROVE)
        return max(0.0, few + (improve - FEW_IMPROVE) * slope)

    @property
    def players(self) -> int:
        """The size of season that most of them were measured at."""
        return max((cost.players for cost in self._kept.values()), default=0)
