"""How many results a second a web server takes, durably, while all is published."""

import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import NamedTuple

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, number
from leaderboard.management.benchmarks.figures import Figure, Goal, at_least
from leaderboard.management.benchmarks.live import publishing
from leaderboard.management.benchmarks.posting import EVENTS_A_BATCH, Server
from leaderboard.management.benchmarks.processor import seconds_of_family, server_process
from leaderboard.management.benchmarks.web_server import web_server
from leaderboard.management.benchmarks.workers import Worker
from scores.operations.create_token import create_token

# The share of the results that improve, what they are called, and the goal for a size of season.
KINDS = {1.0: "improving results", 0.1: "results, one in ten improving,"}
KEYS = {1.0: "improving", 0.1: "mixed"}
USUAL_PLAYERS, MOST_PLAYERS = 1_000_000, 50_000_000
GOALS = {
    (1.0, USUAL_PLAYERS): at_least(15_000),
    (1.0, MOST_PLAYERS): at_least(8_000),
    (0.1, USUAL_PLAYERS): at_least(25_000),
}
WAL_BYTES = "SELECT wal_bytes FROM pg_stat_wal"


class Costs(NamedTuple):
    """What had been spent at some moment: processor seconds, bytes of the server's log."""

    web: float
    database: float
    wal_bytes: float

    def since(self, before: "Costs") -> "Costs":
        """Return what was spent between two moments."""
        return Costs(*(now - then for now, then in zip(self, before, strict=True)))


def accepting(bench: Bench) -> Iterator[Figure]:
    """Send a number of full batches to a server of its own, again and again, kind by kind."""
    season, options = bench.smallest, bench.options
    with web_server() as (port, web), publishing():
        server = Server(
            port,
            f"/internal/v1/seasons/{season.slug}/scores:apply",
            token(),
            options.connections,
        )
        client = Worker(
            "post",
            server=server._asdict(),
            namespace=season.namespace,
            batches=options.batches,
            shares=list(KINDS),
        )
        with client:
            way = partial(_measured, bench.connection, client, web)
            measured = bench.in_turn("post results", dict.fromkeys(KINDS.values(), way))
    events, players = options.batches * EVENTS_A_BATCH, min(bench.seasons)
    for share, kind in KINDS.items():
        figures = _figures(
            f"{kind} over HTTP, {players:,} players, {options.connections} connections",
            GOALS.get((share, players)),
            KEYS[share],
            events,
            measured[kind],
        )
        yield from (figure._replace(players=players) for figure in figures)


def _measured(connection: Connection, client: Worker, web: int) -> tuple[float, Costs]:
    client.hear()
    before = _costs(connection, web)
    report = client.tell()
    return report["seconds"], _costs(connection, web).since(before)


def _costs(connection: Connection, web: int) -> Costs:
    server = server_process(connection)
    database = seconds_of_family(server) if server else 0.0
    return Costs(seconds_of_family(web), database, number(connection, WAL_BYTES))


def _figures(
    what: str,
    goal: Goal | None,
    key: str,
    events: int,
    measured: Sequence[tuple[float, Costs]],
) -> Iterator[Figure]:
    yield Figure(what, "1/s", [events / seconds for seconds, _ in measured], goal)
    per_event = [Costs(*(cost / events for cost in costs)) for _, costs in measured]
    web = [cost.web * 1e6 for cost in per_event]
    yield Figure(f"web server, each of {what}", "µs CPU", web, key=f"web_us.{key}")
    if all(cost.database for cost in per_event):
        database = [cost.database * 1e6 for cost in per_event]
        yield Figure(f"database, each of {what}", "µs CPU", database, key=f"db_us.{key}")
    log = [cost.wal_bytes for cost in per_event]
    yield Figure(f"WAL, each of {what}", "bytes", log, key=f"wal_bytes.{key}")


def token() -> str:
    """Return the text of a token that may apply results, for an hour."""
    in_an_hour = datetime.now(UTC) + timedelta(hours=1)
    return create_token(f"benchmark-{secrets.token_hex(4)}", ["scores:apply"], in_an_hour)
