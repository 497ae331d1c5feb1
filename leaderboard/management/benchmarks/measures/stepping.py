"""How long a read takes the busier the server is: from a tenth of what it can do to all of it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial

import numpy as np

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.dialogues import by_script, over_http, rank_paths
from leaderboard.management.benchmarks.figures import Figure
from leaderboard.management.benchmarks.measures.asking import Asker
from leaderboard.management.benchmarks.measures.serving import CONNECTIONS
from leaderboard.management.benchmarks.pacing import Answered, Dialogue, Pace, ask, on_core
from leaderboard.management.benchmarks.plotting import Curve, Point, draw
from leaderboard.management.benchmarks.sorted_set import SortedSet, players_of
from leaderboard.management.benchmarks.valkey import valkey
from leaderboard.management.benchmarks.web_server import web_server

STEPS = (10, 25, 50, 75, 90, 100)
SHARES = (50, 95, 99)
REQUESTS = 20_000
# Of ten reads, as many are for a rank, for the top, and for neighbours.
RANKS, TOPS = 7, 2


def stepping(bench: Bench) -> Iterator[Figure]:
    """Find what each server can do, ask for a share of that, and draw it if told to."""
    web_core, client_core = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
    with ExitStack() as stack:
        port, _ = stack.enter_context(web_server(core=web_core))
        board = SortedSet(stack.enter_context(valkey(web_core)))
        board.load(players_of(bench.connection, bench.largest.namespace))
        dialogues = _dialogues(bench, port, board)
        stack.enter_context(on_core(client_core))
        capacities = _capacities(bench, dialogues)
        yield from capacities.values()
        curves = [_curve(bench, name, dialogues[name], full) for name, full in capacities.items()]
    for curve in curves:
        yield from _figures(curve)
    if bench.options.plot is not None:
        draw(bench.options.plot, curves, f"{max(bench.seasons):,} players")


def _dialogues(bench: Bench, port: int, board: SortedSet) -> dict[str, Dialogue]:
    slug = bench.largest.slug
    player_ids = Asker(slug, max(bench.seasons)).drawn(REQUESTS)
    ranks = rank_paths(slug, player_ids)
    return {
        "HTTP rank": over_http(port, ranks),
        "HTTP mix": over_http(port, _mixed(slug, player_ids, ranks)),
        "rank of a sorted set, one script, no HTTP": by_script(board, player_ids),
    }


def _mixed(slug: str, player_ids: list[str], ranks: list[str]) -> list[str]:
    """Return paths of which 70 % are for a rank, 20 % for the top, 10 % for neighbours."""
    drawn = np.random.default_rng(0).integers(10, size=len(ranks)).tolist()
    players, top = f"/v1/seasons/{slug}/players", f"/v1/seasons/{slug}/leaderboard/top"
    return [
        rank if one < RANKS else top if one < RANKS + TOPS else f"{players}/{player}/neighbors"
        for one, player, rank in zip(drawn, player_ids, ranks, strict=True)
    ]


def _capacities(bench: Bench, dialogues: Mapping[str, Dialogue]) -> dict[str, Figure]:
    pace = Pace(CONNECTIONS, bench.options.seconds)
    ways = {name: partial(ask, dialogue, pace) for name, dialogue in dialogues.items()}
    where = f"{CONNECTIONS} connections, server on one core, client in Python on another"
    return {
        name: Figure(f"{name}, most, {where}", "1/s", [run.rate for run in runs])
        for name, runs in bench.in_turn("what a server can do", ways).items()
    }


def _curve(bench: Bench, name: str, dialogue: Dialogue, full: Figure) -> Curve:
    ways = {}
    for step in STEPS:
        pace = Pace(CONNECTIONS, bench.options.seconds, full.median * step / 100)
        ways[str(step)] = partial(ask, dialogue, pace)
    measured = bench.in_turn(f"{name}, step by step", ways)
    points = [_point(int(step), runs) for step, runs in measured.items()]
    return Curve(name, full.median, points)


def _point(step: int, runs: list[Answered]) -> Point:
    times = {share: [run.percentile(share) for run in runs] for share in SHARES}
    return Point(step, [run.rate for run in runs], times)


def _figures(curve: Curve) -> Iterator[Figure]:
    for point in curve.points:
        where = f"{curve.name} at {point.step} % of what it can do"
        yield Figure(where, "1/s", point.rates)
        for share, times in point.milliseconds.items():
            yield Figure(f"{where}, p{share}", "ms", times)
