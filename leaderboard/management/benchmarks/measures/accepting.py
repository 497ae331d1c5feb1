"""How many improving results a second a web server takes, durably, while all is published."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from tqdm import tqdm

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection
from leaderboard.management.benchmarks.figures import Figure, at_least
from leaderboard.management.benchmarks.live import publishing
from leaderboard.management.benchmarks.posting import EVENTS_A_BATCH, Server
from leaderboard.management.benchmarks.processor import seconds_of_family, server_process
from leaderboard.management.benchmarks.web_server import web_server
from leaderboard.management.benchmarks.workers import Worker
from scores.operations.create_token import create_token

GOAL = at_least(8_000)
WAL_BYTES = "SELECT wal_bytes FROM pg_stat_wal"


class Costs(NamedTuple):
    """What had been spent at some moment: processor seconds, bytes of the server's log."""

    web: float
    database: float
    wal_bytes: float

    def since(self, before: "Costs") -> "Costs":
        """Return what was spent between two moments."""
        return Costs(*(now - then for now, then in zip(self, before, strict=True)))


def accepting(bench: Bench) -> list[Figure]:
    """Send a number of full batches to a server of its own, again and again."""
    season, options = bench.smallest, bench.options
    with web_server() as (port, web), publishing():
        server = Server(
            port,
            f"/internal/v1/seasons/{season.slug}/scores:apply",
            token(),
            options.connections,
        )
        arguments = {"server": server._asdict(), "namespace": season.namespace}
        with Worker("post", batches=options.batches, **arguments) as client:
            measured = [
                _measured(bench.connection, client, web)
                for _ in tqdm(range(options.repeat), desc="post results", leave=False)
            ]
    where = f"over HTTP, {min(bench.seasons):,} players, {options.connections} connections"
    return _figures(where, options.batches * EVENTS_A_BATCH, measured)


def _measured(connection: Connection, client: Worker, web: int) -> tuple[float, Costs]:
    client.hear()
    before = _costs(connection, web)
    report = client.tell()
    return report["seconds"], _costs(connection, web).since(before)


def _costs(connection: Connection, web: int) -> Costs:
    found = connection.execute(WAL_BYTES).fetchone()
    assert found is not None
    server = server_process(connection)
    database = seconds_of_family(server) if server else 0.0
    return Costs(seconds_of_family(web), database, float(found[0]))


def _figures(where: str, events: int, measured: list[tuple[float, Costs]]) -> list[Figure]:
    rates = [events / seconds for seconds, _ in measured]
    figures = [Figure(f"improving results {where}", "1/s", rates, GOAL)]
    per_event = [Costs(*(cost / events for cost in costs)) for _, costs in measured]
    web = [cost.web * 1e6 for cost in per_event]
    figures.append(Figure(f"web server, a result {where}", "µs CPU", web))
    if all(cost.database for cost in per_event):
        database = [cost.database * 1e6 for cost in per_event]
        figures.append(Figure(f"database, a result {where}", "µs CPU", database))
    log = [cost.wal_bytes for cost in per_event]
    return [*figures, Figure(f"WAL, a result {where}", "bytes", log)]


def token() -> str:
    """Return the text of a token that may apply results, for an hour."""
    in_an_hour = datetime.now(UTC) + timedelta(hours=1)
    return create_token(f"benchmark-{secrets.token_hex(4)}", ["scores:apply"], in_an_hour)
