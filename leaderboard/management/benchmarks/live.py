"""The load of production: results applied, every season published each second, undo purged."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from leaderboard.management.benchmarks.workers import Worker
from seasons.models import Season


class Live(NamedTuple):
    """The processes of the load; their reports are complete after it ended."""

    writer: Worker
    publisher: Worker


@contextmanager
def publishing() -> Iterator[Worker]:
    """Publish and purge all seasons during the block."""
    with Worker("publish") as publisher, Worker("purge"):
        yield publisher


@contextmanager
def live(season: Season, rate: int) -> Iterator[Live]:
    """Apply so many improving results a second to a season and publish during the block."""
    with ExitStack() as processes:
        arguments = {"slug": season.slug, "namespace": season.namespace, "rate": rate}
        writer = processes.enter_context(Worker("write", **arguments))
        yield Live(writer, processes.enter_context(publishing()))
