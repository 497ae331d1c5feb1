"""Reads among crowds: everybody on one score, or in what was the highest bucket."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from leaderboard.management.benchmarks import pgbench
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.figures import Figure, at_most
from leaderboard.management.benchmarks.loading import season_of_kind
from leaderboard.management.benchmarks.measures.reading import RADIUS, preparation_for
from leaderboard.management.benchmarks.pgbench import Load, Run, as_script
from leaderboard.queries import published
from leaderboard.queries.neighbours import NEIGHBOURS
from leaderboard.queries.rank_of_player import RANK_OF_PLAYER
from leaderboard.rules import GLOBAL_BOARD
from seasons.models import Season

CROWDS = ("one-score", "one-score-earliest", "at-the-top", "at-the-top-earliest")
STATEMENTS = {"rank": RANK_OF_PLAYER, "neighbours": NEIGHBOURS}
LONGEST = {"rank": at_most(20.0), "neighbours": at_most(100.0)}


def crowds(bench: Bench) -> list[Figure]:
    """Measure rank and neighbours of anybody in each crowd, one client."""
    players = max(bench.seasons)
    seasons = {name: season_of_kind(name, players) for name in CROWDS}
    return [figure for name in CROWDS for figure in _crowd(bench, name, seasons[name])]


def _crowd(bench: Bench, name: str, season: Season) -> list[Figure]:
    players = max(bench.seasons)
    ways = {what: partial(_run, bench, season, what) for what in STATEMENTS}
    runs = bench.in_turn(f"reads, {name}", ways)
    return [
        figure
        for what in STATEMENTS
        for figure in _figures(what, f"{name}, {players:,} players", runs)
    ]


def _run(bench: Bench, season: Season, what: str) -> Run:
    known = published(season.slug)
    statement = STATEMENTS[what].on(known, GLOBAL_BOARD)
    script = as_script(what, statement, preparation_for(known, max(bench.seasons)))
    variables = {"version": known.current, "radius": RADIUS}
    return pgbench.run(bench.connection, script, Load(1, bench.options.seconds, variables))


def _figures(what: str, where: str, runs: Mapping[str, list[Run]]) -> list[Figure]:
    p99 = [float(np.percentile(run.milliseconds, 99)) for run in runs[what]]
    calls = [float(len(run.milliseconds)) for run in runs[what]]
    return [
        Figure(f"{what} p99, {where}", "ms", p99, LONGEST[what]),
        Figure(f"{what} calls measured, {where}", "", calls),
    ]
