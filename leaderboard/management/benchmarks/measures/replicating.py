"""How far a standby is behind at each load."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import psycopg

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, log_position, number
from leaderboard.management.benchmarks.copied_server import copied_server, running
from leaderboard.management.benchmarks.figures import Figure
from leaderboard.management.benchmarks.live import live

SECONDS_BETWEEN_LOOKS = 0.02
REPLAYED = "SELECT pg_last_wal_replay_lsn() - '0/0'"


class Lag(NamedTuple):
    """How far the standby was behind each time that one looked: bytes, milliseconds."""

    bytes: list[float]
    milliseconds: list[float]


def replicating(bench: Bench) -> Iterator[Figure]:
    """Run a standby beside the server, and look how far it is behind at a third, once, twice."""
    rates = [max(6, bench.options.rate * share // 3) for share in (1, 3, 6)]
    seconds = bench.options.seconds * bench.options.repeat
    with (
        copied_server(bench.connection, follows=True) as copy,
        running(copy),
        psycopg.connect(copy.url, autocommit=True) as standby,
    ):
        for rate in rates:
            with live(bench.largest, rate) as load:
                lag = _lag(bench.connection, standby, seconds)
            yield from _figures(lag, load.writer.report["rate"])


def _figures(lag: Lag, rate: float) -> Iterator[Figure]:
    where = f"at {rate:,.0f} results/s"
    # The last one, at the highest load, is the one that is kept.
    for share, key in ((50, None), (99, "replication_ms.p99")):
        late = float(np.percentile(lag.milliseconds, share))
        yield Figure(f"standby behind p{share}, {where}", "ms", [late], key=key)
    yield Figure(f"standby behind p99, {where}", "KB", [float(np.percentile(lag.bytes, 99)) / 1e3])


def _lag(server: Connection, standby: Connection, seconds: int) -> Lag:
    """Note where the log is, and then how long the standby takes to replay up to there."""
    lag = Lag([], [])
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        noted, began = log_position(server), time.perf_counter()
        lag.bytes.append(max(0.0, noted - number(standby, REPLAYED)))
        while number(standby, REPLAYED) < noted and time.monotonic() < end:
            time.sleep(0.001)
        lag.milliseconds.append((time.perf_counter() - began) * 1e3)
        time.sleep(SECONDS_BETWEEN_LOOKS)
    return lag
