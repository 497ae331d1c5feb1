"""What Prometheus is told of boards: how far each rebuild is that is not finished."""

from collections.abc import Iterable, Iterator

from django.db import Error
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from leaderboard.models import Rebuild
from leaderboard.queries.unfinished_rebuilds import unfinished_rebuilds


class Rebuilds(Collector):
    """Asks the database when it is asked itself: no process has to remember anything."""

    def describe(self) -> Iterable[Metric]:
        """Name nothing beforehand: that would ask the database while the server starts."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Return parts done and to do of each phase that is under way, and its last move."""
        labels = ["season", "phase"]
        done = GaugeMetricFamily("laurel_rebuild_done", "Parts of the phase done.", labels=labels)
        total = GaugeMetricFamily("laurel_rebuild_total", "Parts of the phase.", labels=labels)
        moved = GaugeMetricFamily(
            "laurel_rebuild_moved_seconds", "When it moved last (Unix time).", labels=labels
        )
        for rebuild in _unfinished():
            values = [rebuild.season.slug, rebuild.phase]
            done.add_metric(values, rebuild.done)
            total.add_metric(values, rebuild.total)
            moved.add_metric(values, rebuild.moved_at.timestamp())
        yield from (done, total, moved)


def register() -> None:
    """Have Prometheus told, once a process."""
    REGISTRY.register(Rebuilds())


def _unfinished() -> list[Rebuild]:
    try:
        return unfinished_rebuilds()
    except Error:
        # The metrics of the process itself are told also while the database is away.
        return []
