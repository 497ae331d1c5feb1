"""Laurel's rank beside `count(*)` of the players above, on a copy with the best index for it."""

import time
from collections.abc import Iterator
from functools import partial
from itertools import cycle

import numpy as np
from numpy.typing import NDArray
from psycopg.errors import QueryCanceled

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, connect
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure, beside
from leaderboard.management.benchmarks.measures.asking import Asker, Read
from leaderboard.management.benchmarks.scratch import copy_of_bests

DRAWN = 10_000
SHARES = (50, 99)
# A call that is cut off counts as long as it was let run.
LONGEST_CALL = "SET statement_timeout = '30s'"
MEDIAN_PLAYER = (
    "SELECT player_id FROM benchmark_scratch.bests ORDER BY score OFFSET "
    "(SELECT count(*) / 2 FROM benchmark_scratch.bests) LIMIT 1"
)
COUNTED = (
    "SELECT 1 + count(*) FROM benchmark_scratch.bests WHERE score > "
    "(SELECT score FROM benchmark_scratch.bests WHERE player_id = %s)"
)

KEY = "count_star_us.player"

Times = NDArray[np.float64]


def counting(bench: Bench) -> Iterator[Figure]:
    """Ask both ways, in turn, for the ranks of players drawn at random and of the median one."""
    season, players = bench.largest, max(bench.seasons)
    asker = Asker(season.slug, players)
    with connect() as connection, copy_of_bests(connection, season.namespace):
        median = _value(connection, MEDIAN_PLAYER)
        with connect() as counter:
            counter.execute(LONGEST_CALL)
            count = partial(_counted, counter)
            _require_same_rank(asker, counter, median)
            drawn = asker.drawn(DRAWN)
            for who, ids in (("random players", drawn), ("the median player", [median])):
                where = f"{who}, {players:,} players"
                yield from _beside(bench, where, ids, {"ours": asker.rank, "theirs": count})
            each = [
                float(np.median(times_of(count, drawn, bench.options.seconds))) * 1e3 / players
            ]
            yield Figure("count(*), a player of the season", "µs", each, key=KEY)


def _beside(
    bench: Bench, where: str, player_ids: list[str], reads: dict[str, Read]
) -> Iterator[Figure]:
    names = {"ours": "rank, Laurel's statement", "theirs": "rank by count(*)"}
    asked = {
        name: partial(times_of, read, player_ids, bench.options.seconds)
        for name, read in reads.items()
    }
    measured = bench.in_turn(f"count(*), {where}", asked)
    for share in SHARES:
        pair = [
            Figure(f"{names[name]}, p{share}, {where}", "ms", _percentiles(runs, share))
            for name, runs in measured.items()
        ]
        yield from pair
        yield beside(f"Laurel's / count(*), p{share}, {where}", *pair, less_is_better=True)
    calls = [float(len(run)) for run in measured["theirs"]]
    yield Figure(f"calls of count(*), {where}", "", calls)


def times_of(read: Read, player_ids: list[str], seconds: float) -> Times:
    """Ask for one player after the other for so long, once at least; return milliseconds."""
    waited: list[float] = []
    player = cycle(player_ids)
    began = now = time.perf_counter()
    while not waited or now - began < seconds:
        read(next(player))
        after = time.perf_counter()
        waited.append((after - now) * 1000)
        now = after
    return np.array(waited)


def _counted(connection: Connection, player_id: str) -> object:
    try:
        return _value(connection, COUNTED, player_id)
    except QueryCanceled:
        return None


def _value(connection: Connection, query: str, *values: str) -> str:
    found = connection.execute(query, values, prepare=True).fetchone()
    assert found is not None
    return str(found[0])


def _require_same_rank(asker: Asker, connection: Connection, player_id: str) -> None:
    counted = _counted(connection, player_id)
    if counted is not None and counted != str(asker.rank(player_id).rank):
        raise CannotMeasure(f"{player_id} has another rank by count(*).")


def _percentiles(runs: list[Times], share: int) -> list[float]:
    return [float(np.percentile(run, share)) for run in runs]
