"""Laurel beside a materialised view with `rank()`, on a copy that gets as many changes."""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, connect
from leaderboard.management.benchmarks.events import Improvements
from leaderboard.management.benchmarks.figures import Figure, beside
from leaderboard.management.benchmarks.measures.asking import Asker
from leaderboard.management.benchmarks.measures.publishing import seconds_of_publication
from leaderboard.management.benchmarks.players import ids_of
from leaderboard.management.benchmarks.scratch import copy_of_bests

VIEW = (
    "CREATE MATERIALIZED VIEW benchmark_scratch.ranks AS "
    "SELECT player_id, score, rank() OVER (ORDER BY score DESC) FROM benchmark_scratch.bests",
    # CONCURRENTLY asks for it, and reads by player go over it.
    "CREATE UNIQUE INDEX ranks_by_player ON benchmark_scratch.ranks (player_id)",
    "VACUUM (ANALYZE) benchmark_scratch.ranks",
)
IMPROVED = "UPDATE benchmark_scratch.bests SET score = score + 1 WHERE player_id = ANY(%s)"
PLAIN = "REFRESH MATERIALIZED VIEW benchmark_scratch.ranks"
CONCURRENTLY = "REFRESH MATERIALIZED VIEW CONCURRENTLY benchmark_scratch.ranks"
READ = "SELECT rank, score FROM benchmark_scratch.ranks WHERE player_id = %s"
PUBLISHED_EVERY = 1.0


def materialising(bench: Bench) -> Iterator[Figure]:
    """Publish and refresh after as many changes, in turn, and read one rank from each."""
    season = bench.largest
    with connect() as connection, copy_of_bests(connection, season.namespace):
        for statement in VIEW:
            connection.execute(statement)
        yield from _refreshing(bench, connection)
        yield from _reading(bench, connection)


def _refreshing(bench: Bench, connection: Connection) -> Iterator[Figure]:
    season, changes = bench.largest, bench.options.changes
    source = Improvements(bench.connection, season.namespace)
    where = f"{changes:,} changes, {max(bench.seasons):,} players"
    refresh = partial(_seconds_of_refresh, bench, connection)
    measured = bench.in_turn(
        f"refresh after {changes:,} changes",
        {
            "publish": partial(seconds_of_publication, season, source, changes),
            "REFRESH": partial(refresh, PLAIN),
            "REFRESH CONCURRENTLY": partial(refresh, CONCURRENTLY),
        },
    )
    figures = {name: Figure(f"{name}, {where}", "s", runs) for name, runs in measured.items()}
    yield from figures.values()
    for name in ("REFRESH", "REFRESH CONCURRENTLY"):
        pair = (figures["publish"], figures[name])
        yield beside(f"publish / {name}, {where}", *pair, less_is_better=True)
    yield from _oldest(measured, where)


def _oldest(measured: Mapping[str, list[float]], where: str) -> Iterator[Figure]:
    """Tell how old a rank gets: a change may come just after the next version was begun."""
    published = [PUBLISHED_EVERY + seconds for seconds in measured["publish"]]
    yield Figure(f"oldest rank, published each second, {where}", "s", published)
    for name in ("REFRESH", "REFRESH CONCURRENTLY"):
        refreshed = [2 * seconds for seconds in measured[name]]
        yield Figure(f"oldest rank, {name} without a pause, {where}", "s", refreshed)


def _seconds_of_refresh(bench: Bench, connection: Connection, refresh: str) -> float:
    drawn = np.random.default_rng().choice(
        max(bench.seasons), bench.options.changes, replace=False
    )
    connection.execute(IMPROVED, [ids_of(drawn).astype("U").tolist()])
    began = time.perf_counter()
    connection.execute(refresh)
    return time.perf_counter() - began


def _reading(bench: Bench, connection: Connection) -> Iterator[Figure]:
    players = max(bench.seasons)
    asker = Asker(bench.largest.slug, players)

    def read(player_id: str) -> object:
        return connection.execute(READ, [player_id], prepare=True).fetchone()

    ways: dict[str, Callable[[], float]] = {
        "rank, Laurel's statement": partial(asker.rate, asker.rank, bench.options.seconds),
        "rank, materialised view": partial(asker.rate, read, bench.options.seconds),
    }
    where = f"one client, {players:,} players"
    measured = bench.in_turn(f"read a rank, {where}", ways)
    pair = [Figure(f"{name}, {where}", "1/s", rates) for name, rates in measured.items()]
    yield from pair
    yield beside(f"rank, Laurel's statement / materialised view, {where}", *pair)
