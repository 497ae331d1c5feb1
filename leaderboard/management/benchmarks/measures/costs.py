"""What each operation costs in processors, memory, disk and network: what `capacity` is fed."""

import os
import time
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from leaderboard.management.benchmarks.befriending import LISTS, befriend
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, log_position, number
from leaderboard.management.benchmarks.events import Improvements, apply_changes
from leaderboard.management.benchmarks.figures import Figure
from leaderboard.management.benchmarks.live import publishing
from leaderboard.management.benchmarks.processor import (
    megabytes_of_family,
    seconds_of_family,
    server_process,
)
from leaderboard.management.benchmarks.room import size_of
from leaderboard.management.benchmarks.web_server import web_server
from leaderboard.management.benchmarks.wrk import Asked, Pace, Question, ask
from leaderboard.operations import publish_version, purge_versions, seal_and_publish
from seasons.models import Season
from seasons.operations import seal_epoch

CONNECTIONS = 8
# A server takes few bodies at a time from anybody.
CONNECTIONS_FOR_BODIES = 2
LOOKED_UP = 20
FEWER = 20
IDLE_VERSIONS = 100
LEDGER_ROWS = "SELECT ledger_rows FROM leaderboard_current WHERE season_id = %s"
UNDO_COPIED = (
    "DROP TABLE IF EXISTS benchmark_undo",
    "CREATE TEMPORARY TABLE benchmark_undo (LIKE {} INCLUDING ALL)",
    "INSERT INTO benchmark_undo SELECT * FROM {}",
)
UNDO_ROWS = "SELECT count(*) FROM benchmark_undo"


class Served(NamedTuple):
    """What was asked, and how long the web server and the database ran for it."""

    asked: Asked
    web: float
    database: float


class Published(NamedTuple):
    """What a publication took: seconds, and with its purge either side's processors, and log."""

    seconds: float
    publisher: float
    database: float
    wal_bytes: float


# The name, unit and key of each part.
PARTS = {
    "time": ("s", "publish_s"),
    "publisher": ("s CPU", "publish_cpu_s"),
    "database": ("s CPU", "publish_db_s"),
    "WAL": ("bytes", "publish_wal_bytes"),
}


def costs(bench: Bench) -> Iterator[Figure]:
    """Measure reads over HTTP kind by kind, publications of two sizes, and what is stored."""
    befriend(max(bench.seasons))
    yield from _reads(bench)
    with publishing() as publisher:
        memory = megabytes_of_family(publisher.pid)
        yield Figure("memory of a process that publishes", "MB", [memory], key="memory_mb.worker")
    yield from _publications(bench)
    yield _undone(bench)
    yield from _idle(bench)
    yield from _stored(bench.connection, bench.largest, max(bench.seasons))


def reads_of(bench: Bench) -> dict[str, Question]:
    """Return a question of each kind that is asked of the largest season."""
    season, players = f"/v1/seasons/{bench.largest.slug}", max(bench.seasons)
    board, player = f"{season}/leaderboard", f"{season}/players/PLAYER"
    looked_up = ", ".join(['"PLAYER"'] * LOOKED_UP)
    return {
        "rank": Question(f"{player}/rank", players),
        "neighbors": Question(f"{player}/neighbors", players),
        "top": Question(f"{board}/top"),
        "page": Question(f"{board}/page?around_player=PLAYER", players),
        "lookup": Question(f"{board}/lookup", players, body=f'{{"player_ids": [{looked_up}]}}'),
        "friends": Question(f"{player}/friends", min(players, LISTS)),
    }


def served(bench: Bench, server: tuple[int, int], question: Question, pace: Pace) -> Served:
    """Ask from the last core, and return what it took on both sides."""
    port, web = server
    database = server_process(bench.connection)
    before = seconds_of_family(web), seconds_of_family(database) if database else 0.0
    asked = ask(port, question, pace, max(os.sched_getaffinity(0)))
    return Served(
        asked,
        seconds_of_family(web) - before[0],
        seconds_of_family(database) - before[1] if database else 0.0,
    )


def _reads(bench: Bench) -> Iterator[Figure]:
    with web_server(core=min(os.sched_getaffinity(0))) as server:
        ways = {
            name: partial(served, bench, server, question, _pace(bench, question))
            for name, question in reads_of(bench).items()
        }
        for name, runs in bench.in_turn("costs of reads", ways).items():
            yield from _read(name, runs)
        yield Figure(
            "memory of a web process", "MB", [megabytes_of_family(server[1])], key="memory_mb.web"
        )


def _pace(bench: Bench, question: Question) -> Pace:
    connections = CONNECTIONS_FOR_BODIES if question.body else CONNECTIONS
    return Pace(connections, bench.options.seconds)


def _read(name: str, runs: list[Served]) -> Iterator[Figure]:
    per_request = [(run, 1e6 / run.asked.requests) for run in runs]
    web = [run.web * each for run, each in per_request]
    yield Figure(f"{name} over HTTP, web", "µs CPU", web, key=f"web_us.{name}")
    database = [run.database * each for run, each in per_request]
    yield Figure(f"{name} over HTTP, database", "µs CPU", database, key=f"db_us.{name}")
    sent = [run.asked.bytes / run.asked.requests for run in runs]
    yield Figure(f"{name} over HTTP, a reply", "bytes", sent, key=f"reply_bytes.{name}")
    for share in ("p50", "p95", "p99"):
        longest = [float(getattr(run.asked, share)) for run in runs]
        yield Figure(f"{name} over HTTP, {share}", "ms", longest)


def _publications(bench: Bench) -> Iterator[Figure]:
    season = bench.largest
    more = min(bench.options.changes, max(bench.seasons) // 2)
    fewer = max(1, more // FEWER)
    source = Improvements(bench.connection, season.namespace, seed=4)
    # The older versions go first, so that each publication is followed by the purge of one.
    while purge_versions(season.id, version_kept_seconds=0):
        pass
    ways = {
        str(changes): partial(_published, bench.connection, season, source, changes)
        for changes in (fewer, more)
    }
    of_fewer, of_more = bench.in_turn("costs of publications", ways).values()
    for part, (what, (unit, key)) in enumerate(PARTS.items()):
        pairs = [(a[part], b[part]) for a, b in zip(of_fewer, of_more, strict=True)]
        each = [max(0.0, (b - a) / (more - fewer)) for a, b in pairs]
        fixed = [max(0.0, a - fewer * one) for (a, _), one in zip(pairs, each, strict=True)]
        yield Figure(f"publication, {what}, fixed", unit, fixed, key=f"{key}.fixed")
        yield Figure(f"publication, {what}, each change", unit, each, key=f"{key}.change")


def _undone(bench: Bench) -> Figure:
    """Tell what an undo row takes beside others: the table itself has gaps that a purge left."""
    season, connection = bench.largest, bench.connection
    source = Improvements(connection, season.namespace, seed=5)
    apply_changes(season.slug, source, min(bench.options.changes, max(bench.seasons) // 2))
    for statement in UNDO_COPIED:
        connection.execute(statement.format(f"scores_undo_n{season.namespace}").encode())
    each = size_of(connection, "benchmark_undo") / number(connection, UNDO_ROWS)
    return Figure("an undo row with its indexes", "bytes", [each], key="stored_bytes.undo")


def _idle(bench: Bench) -> Iterator[Figure]:
    """Seal and publish, as happens each second, while nothing changes: `as_of` moves."""
    season = bench.largest
    seal_and_publish(season.id)
    before = _spent(bench.connection).database
    for _ in range(IDLE_VERSIONS):
        seal_and_publish(season.id)
        purge_versions(season.id)
    each = (_spent(bench.connection).database - before) / IDLE_VERSIONS
    yield Figure("publication of no change, database", "s CPU", [each], key="idle_db_s.version")


def _published(
    connection: Connection, season: Season, source: Improvements, changes: int
) -> Published:
    """Publish, and purge as much as one version leaves: who reads waits for the first only."""
    apply_changes(season.slug, source, changes)
    seal_epoch(season.id)
    before = _spent(connection)
    publish_version(season.id)
    seconds = _spent(connection).seconds - before.seconds
    purge_versions(season.id, version_kept_seconds=0)
    after = _spent(connection)
    spent = Published(*(now - then for now, then in zip(after, before, strict=True)))
    return spent._replace(seconds=seconds)


def _spent(connection: Connection) -> Published:
    """Return the clock, and all that was spent up to now."""
    database = server_process(connection)
    of_server = seconds_of_family(database) if database else 0.0
    written = log_position(connection)
    return Published(time.perf_counter(), time.process_time(), of_server, written)


def _stored(connection: Connection, season: Season, players: int) -> Iterator[Figure]:
    bests = size_of(connection, f"scores_best_n{season.namespace}")
    yield Figure("a best with its indexes", "bytes", [bests / players], key="stored_bytes.best")
    ledger = size_of(connection, f"scores_ledger_n{season.ledger_namespace}")
    rows = number(connection, LEDGER_ROWS, season.id)
    yield Figure(
        "a ledger row with its indexes", "bytes", [ledger / rows], key="stored_bytes.event"
    )
    boards = size_of(connection, f"leaderboard_bucket_n{season.namespace}")
    yield Figure("the buckets of the season", "MB", [boards / 1e6], key="stored_mb.buckets")
    if server := server_process(connection):
        memory = megabytes_of_family(server)
        yield Figure("memory of the database's processes", "MB", [memory], key="memory_mb.db")
