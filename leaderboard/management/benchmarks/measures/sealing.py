"""What it costs to seal and publish after every batch, beside once a second."""

import time
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, log_position
from leaderboard.management.benchmarks.events import Improvements
from leaderboard.management.benchmarks.figures import Figure, ratios
from leaderboard.operations import purge_versions, seal_and_publish
from scores.operations import apply_events
from seasons.models import Season

# A match of ten players, and as many results as one batch may have.
SIZES = (10, 1_000)
BATCHES = 60
SECONDS_BETWEEN_SEALS = 1.0
AT_ONCE, EACH_SECOND = "sealed at once", "sealed each second"


class Cost(NamedTuple):
    """What a result took, with its share of the publications that showed it."""

    seconds: float
    wal_bytes: float


def sealing(bench: Bench) -> Iterator[Figure]:
    """Apply the same batches with a publication after each, and with one a second, in turn."""
    season = bench.smallest
    source = Improvements(bench.connection, season.namespace, seed=3)
    for size in SIZES:
        size = min(size, min(bench.seasons) // 2)
        ways = {
            name: partial(_cost, bench.connection, season, source, size, pause)
            for name, pause in ((AT_ONCE, 0.0), (EACH_SECOND, SECONDS_BETWEEN_SEALS))
        }
        what = f"batches of {size:,}, {min(bench.seasons):,} players"
        yield from _figures(what, bench.in_turn(f"seal {what}", ways))


def _figures(what: str, measured: Mapping[str, list[Cost]]) -> Iterator[Figure]:
    rates = {
        name: Figure(f"results, {name}, {what}", "1/s", [1 / cost.seconds for cost in costs])
        for name, costs in measured.items()
    }
    yield from rates.values()
    yield ratios(f"{AT_ONCE} / {EACH_SECOND}, {what}", rates[AT_ONCE], rates[EACH_SECOND])
    for name, costs in measured.items():
        yield Figure(f"WAL, a result {name}, {what}", "bytes", [cost.wal_bytes for cost in costs])


def _cost(
    connection: Connection, season: Season, source: Improvements, size: int, pause: float
) -> Cost:
    batches = [source.batch(size) for _ in range(BATCHES)]
    before, began = log_position(connection), time.perf_counter()
    due = began + pause
    for batch in batches:
        apply_events(season.slug, batch)
        if time.perf_counter() >= due:
            seal_and_publish(season.id)
            due = time.perf_counter() + pause
    seal_and_publish(season.id)
    spent = time.perf_counter() - began
    written = log_position(connection) - before
    purge_versions(season.id)
    return Cost(spent / (BATCHES * size), written / (BATCHES * size))
