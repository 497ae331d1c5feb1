"""How many reads a web server answers over HTTP, and how long each takes."""

import os
from collections.abc import Iterator, Mapping
from functools import partial
from http.client import HTTPConnection
from typing import NamedTuple

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.figures import Figure, at_least, at_most, ratios
from leaderboard.management.benchmarks.processor import seconds_of_family
from leaderboard.management.benchmarks.web_server import web_server
from leaderboard.management.benchmarks.wrk import Asked, Pace, Question, ask

CONNECTIONS = 8
RANKS_A_CORE, AT_HALF = at_least(4_000), at_most(20)
CONSTANT_SHARE = at_least(0.8)
CONSTANT = "leaderboard.management.benchmarks.constant:application"


class Served(NamedTuple):
    """What was asked, and the seconds that the web server ran on its core for it."""

    asked: Asked
    processor: float

    @property
    def a_core(self) -> float:
        """Return the requests a second that fill a core."""
        return self.asked.requests / self.processor


def serving(bench: Bench) -> Iterator[Figure]:
    """Ask the web server on the first core from the last one, kind by kind, in turn."""
    web_core, client_core = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
    full = Pace(CONNECTIONS, bench.options.seconds)
    with web_server(core=web_core) as ours, web_server(CONSTANT, web_core) as yardstick:
        ways = {
            name: partial(_served, server, question, full, client_core)
            for name, (server, question) in _questions(bench, ours, yardstick).items()
        }
        measured = bench.in_turn("ask over HTTP", ways)
        where = f"web on core {web_core}, client on core {client_core}"
        yield from _figures(measured, where)
        half = _half_of(measured["rank"], bench.options.seconds)
        rank = rank_question(bench)
        paced = [_served(ours, rank, half, client_core) for _ in range(bench.options.repeat)]
        yield Figure("HTTP ranks at half of it", "1/s", [one.asked.rate for one in paced])
        yield Figure(
            "HTTP rank at half of it, p99", "ms", [one.asked.p99 for one in paced], AT_HALF
        )


def _questions(
    bench: Bench, ours: tuple[int, int], yardstick: tuple[int, int]
) -> dict[str, tuple[tuple[int, int], Question]]:
    board = f"/v1/seasons/{bench.largest.slug}"
    players = max(bench.seasons)
    top = Question(f"{board}/leaderboard/top")
    size = _length(ours[0], top.path)
    return {
        "rank": (ours, rank_question(bench)),
        "neighbours": (ours, Question(f"{board}/players/PLAYER/neighbors", players)),
        "top 100": (ours, top),
        "top 100, gzip": (ours, top._replace(encoding="gzip")),
        "constant of the same size": (yardstick, Question(f"/bytes/{size}")),
    }


def rank_question(bench: Bench) -> Question:
    """Return the question for the rank of a player of the largest season."""
    path = f"/v1/seasons/{bench.largest.slug}/players/PLAYER/rank"
    return Question(path, max(bench.seasons))


def _served(server: tuple[int, int], question: Question, pace: Pace, core: int) -> Served:
    port, process = server
    before = seconds_of_family(process)
    asked = ask(port, question, pace, core)
    return Served(asked, seconds_of_family(process) - before)


def _figures(measured: Mapping[str, list[Served]], where: str) -> Iterator[Figure]:
    rates = {}
    for name, runs in measured.items():
        rates[name] = Figure(f"HTTP {name}, {where}", "1/s", [run.asked.rate for run in runs])
        yield rates[name]
        goal = RANKS_A_CORE if name == "rank" else None
        yield Figure(f"HTTP {name}, a web core", "1/s", [run.a_core for run in runs], goal)
        yield Figure(f"HTTP {name}, p99", "ms", [run.asked.p99 for run in runs])
    constant = rates["constant of the same size"]
    yield ratios("HTTP top 100 / constant", rates["top 100"], constant, CONSTANT_SHARE)


def _half_of(runs: list[Served], seconds: int) -> Pace:
    """Return the pace at which as many connections ask half as much."""
    rate = sorted(run.asked.rate for run in runs)[len(runs) // 2]
    latency = sorted(run.asked.p50 for run in runs)[len(runs) // 2] / CONNECTIONS
    pause = max(1, round(2_000 * CONNECTIONS / rate - latency))
    return Pace(CONNECTIONS, seconds, pause)


def _length(port: int, path: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return len(connection.getresponse().read())
    finally:
        connection.close()
