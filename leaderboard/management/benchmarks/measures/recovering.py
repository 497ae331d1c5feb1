"""How long a copy takes, and how soon a killed server answers and publishes again."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import psycopg

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.copied_server import Copy, copied_server, running
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure
from leaderboard.management.benchmarks.workers import Worker
from seasons.models import Season

GIGABYTE = 1e9
SINCE_CHECKPOINT = "SELECT pg_current_wal_insert_lsn() - redo_lsn FROM pg_control_checkpoint()"


class Recovered(NamedTuple):
    """Seconds from the kill until it answered and until a fresh version was there; log redone."""

    answers: float
    published: float
    redone_bytes: float


def recovering(bench: Bench) -> Iterator[Figure]:
    """Copy the server, apply results to the copy, kill it, and start it again."""
    rate = bench.options.rate
    with copied_server(bench.connection, follows=False) as copy:
        size = copy.bytes / GIGABYTE
        yield Figure(f"snapshot of {size:.1f} GB by pg_basebackup", "s", [copy.seconds])
        each = copy.seconds / size
        yield Figure("snapshot, a GB", "s", [each], key="snapshot_s.gb")
        recovered = _recovered(copy, bench.largest, rate, bench.options.warm_up)
    where = f"killed at {rate:,} results/s after {bench.options.warm_up} s"
    redone = recovered.redone_bytes / 1e6
    yield Figure(f"log to redo, {where}", "MB", [redone], key="recovery_mb.redone")
    yield Figure(f"answers again, {where}", "s", [recovered.answers])
    yield Figure(f"publishes again, {where}", "s", [recovered.published], key="recovery_s.crash")


def _recovered(copy: Copy, season: Season, rate: int, seconds: int) -> Recovered:
    arguments = {"slug": season.slug, "namespace": season.namespace, "rate": rate}
    once = Worker("publish-once", season_id=season.id).elsewhere(copy.url)
    writer = Worker("write", **arguments).elsewhere(copy.url)
    with running(copy) as server, once as publisher, writer:
        time.sleep(seconds)
        redone = _since_checkpoint(copy)
        began = time.perf_counter()
        server.kill()
        return _started_again(copy, publisher, began, redone)


def _started_again(copy: Copy, publisher: Worker, began: float, redone: float) -> Recovered:
    with running(copy):
        answers = time.perf_counter() - began
        found = publisher.tell()
        published = time.perf_counter() - began
    if found["outcome"] != "published":
        raise CannotMeasure(f"After the crash the season's publication was {found['outcome']}.")
    return Recovered(answers, published, redone)


def _since_checkpoint(copy: Copy) -> float:
    with psycopg.connect(copy.url) as connection:
        found = connection.execute(SINCE_CHECKPOINT).fetchone()
    assert found is not None
    return float(found[0])
