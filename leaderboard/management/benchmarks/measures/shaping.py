"""The rank by other shapes of what it is computed from, each against a bare look-up, in turn."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from leaderboard.management.benchmarks import pgbench
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, connect
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure, ratios
from leaderboard.management.benchmarks.measures.asking import Asker
from leaderboard.management.benchmarks.measures.reading import BARE, drawn_of
from leaderboard.management.benchmarks.pgbench import Load, Run, Script, as_script
from leaderboard.management.benchmarks.scratch import copy_of_bests
from leaderboard.management.benchmarks.shapes import (
    AS_IT_IS,
    BARE_LOOK_UP,
    COLUMNS,
    SHAPES,
    Shape,
    make_shape,
    make_standing,
    rank_statement,
)

COMPARED = 20
RANK = 2


class Sending(NamedTuple):
    """How a client that is written in Python sends a statement and gets the reply."""

    placeholder: str
    prepared: bool
    binary: bool


USUAL = "prepared, text"
SENDINGS = {
    "not prepared, text": Sending("%t", prepared=False, binary=False),
    USUAL: Sending("%t", prepared=True, binary=False),
    "prepared, binary": Sending("%b", prepared=True, binary=True),
}


def shaping(bench: Bench) -> Iterator[Figure]:
    """Make each shape from a copy of the largest season, compare its ranks, and measure it."""
    with (
        connect() as connection,
        copy_of_bests(connection, bench.largest.namespace, COLUMNS),
    ):
        make_standing(connection)
        statements = {BARE: BARE_LOOK_UP}
        ranks = _some_ranks(bench)
        for number, shape in enumerate(SHAPES):
            make_shape(connection, f"shape_{number}", shape)
            statements[shape.name] = rank_statement(f"shape_{number}", shape)
            _require_ranks(connection, shape, statements[shape.name], ranks)
        for clients in bench.options.clients:
            yield from _compared(bench, statements, clients)
        yield from _sent(bench, connection, statements[AS_IT_IS.name])


def _some_ranks(bench: Bench) -> dict[str, int | None]:
    asker = Asker(bench.largest.slug, max(bench.seasons))
    return {player_id: asker.rank(player_id).rank for player_id in asker.drawn(COMPARED)}


def _require_ranks(
    connection: Connection, shape: Shape, statement: str, ranks: dict[str, int | None]
) -> None:
    for player_id, rank in ranks.items():
        found = _row(connection, statement, player_id)
        if shape.counts is not None and found[RANK] != rank:
            raise CannotMeasure(f"{player_id} has another rank in the shape {shape.name}.")


def _row(connection: Connection, statement: str, player_id: str) -> tuple[object, ...]:
    text = statement.replace(":player_id", "%s")
    found = connection.execute(text.encode(), [player_id]).fetchone()
    if found is None:
        raise CannotMeasure(f"{player_id} was not found by: {statement}")
    return found


def _compared(bench: Bench, statements: dict[str, str], clients: int) -> Iterator[Figure]:
    players = max(bench.seasons)
    drawn = drawn_of(players)
    where = f"{players:,} players, {clients} clients"
    ways = {
        name: partial(_run, bench, as_script(name, statement, drawn), clients)
        for name, statement in statements.items()
    }
    runs = bench.in_turn(f"shapes, {where}", ways)
    rates = {
        name: Figure(f"{name}, {where}", "1/s", [run.rate for run in found])
        for name, found in runs.items()
    }
    for name, found in runs.items():
        yield ratios(f"{name} / bare, {where}", rates[name], rates[BARE])
        spent = [run.processor_microseconds for run in found if run.processor_microseconds]
        if spent:
            yield Figure(f"{name} in the database, {where}", "µs CPU", spent)


def _run(bench: Bench, script: Script, clients: int) -> Run:
    return pgbench.run(bench.connection, script, Load(clients, bench.options.seconds, {}))


def _sent(bench: Bench, connection: Connection, statement: str) -> Iterator[Figure]:
    """Send one statement from Python in each way, against text that is prepared."""
    players = max(bench.seasons)
    asker = Asker(bench.largest.slug, players)
    ways = {
        name: partial(
            asker.rate, partial(_asked, connection, statement, way), bench.options.seconds
        )
        for name, way in SENDINGS.items()
    }
    where = f"from Python, {players:,} players"
    rates = {
        name: Figure(f"{name}, {where}", "1/s", found)
        for name, found in bench.in_turn(f"shapes, {where}", ways).items()
    }
    for name, rate in rates.items():
        yield rate
        yield ratios(f"{name} / {USUAL}, {where}", rate, rates[USUAL])


def _asked(connection: Connection, statement: str, way: Sending, player_id: str) -> object:
    text = statement.replace(":player_id", way.placeholder).encode()
    return connection.execute(
        text, [player_id], prepare=way.prepared, binary=way.binary
    ).fetchone()
