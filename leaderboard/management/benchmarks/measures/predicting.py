"""Whether the costs that were measured foretell what was not: another size, another mix."""

import os
from collections.abc import Iterator, Mapping
from functools import partial

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure, at_most
from leaderboard.management.benchmarks.live import live
from leaderboard.management.benchmarks.measures.costs import CONNECTIONS, Served, reads_of, served
from leaderboard.management.benchmarks.web_server import web_server
from leaderboard.management.benchmarks.wrk import Pace, Question
from leaderboard.management.capacity.costs import Costs, Missing
from leaderboard.management.capacity.kept import read_costs
from leaderboard.management.capacity.plan import publication
from leaderboard.queries.live_seasons import live_seasons

# In tenths of the requests; the costs were measured of each alone.
MIX = {"top": 5, "rank": 3, "neighbors": 2}
MOST_APART = at_most(1.3)


def predicting(bench: Bench) -> Iterator[Figure]:
    """Foretell ranks of the smallest season, and a mix of reads while results are applied."""
    if bench.options.costs is None:
        raise CannotMeasure("Name the file with --costs from which it is foretold.")
    costs = Costs(read_costs(bench.options.costs))
    try:
        yield from _of_another_size(bench, costs)
        yield from _of_another_mix(bench, costs)
    except Missing as missing:
        raise CannotMeasure(str(missing.args[0])) from missing


def _of_another_size(bench: Bench, costs: Costs) -> Iterator[Figure]:
    players = min(bench.seasons)
    path = f"/v1/seasons/{bench.smallest.slug}/players/PLAYER/rank"
    runs = _runs(bench, Question(path, players))
    where = f"ranks of {players:,} players, costs of {costs.players:,}"
    yield from _compared(f"web, {where}", "µs CPU", costs.of("web_us.rank"), _web(runs))
    spent = [run.database * 1e6 / run.asked.requests for run in runs]
    yield from _compared(f"database, {where}", "µs CPU", costs.of("db_us.rank"), spent)


def _of_another_mix(bench: Bench, costs: Costs) -> Iterator[Figure]:
    questions = reads_of(bench)
    paths = " ".join(" ".join([questions[name].path] * tenths) for name, tenths in MIX.items())
    with live(bench.largest, bench.options.rate):
        runs = _runs(bench, Question(paths, max(bench.seasons)))
    where = "half top, three tenths rank, two tenths neighbors"
    yield from _compared(f"web, {where}", "µs CPU", _mixed(costs, "web_us", MIX), _web(runs))
    read = _mixed(costs, "db_us", MIX) / 1e6
    rate = bench.options.rate
    written = rate * costs.of("db_us.improving") / 1e6 + publication(costs, "publish_db_s", rate)
    written += (len(live_seasons()) - 1) * costs.of("idle_db_s.version")
    busy = [run.database / run.asked.seconds for run in runs]
    foretold = sum(run.asked.rate for run in runs) / len(runs) * read + written
    yield from _compared(f"database, {where}, {rate:,} results/s", "cores", foretold, busy)


def _runs(bench: Bench, question: Question) -> list[Served]:
    pace = Pace(CONNECTIONS, bench.options.seconds)
    with web_server(core=min(os.sched_getaffinity(0))) as server:
        way = partial(served, bench, server, question, pace)
        return bench.in_turn("ask over HTTP", {question.path: way})[question.path]


def _web(runs: list[Served]) -> list[float]:
    return [run.web * 1e6 / run.asked.requests for run in runs]


def _mixed(costs: Costs, what: str, mix: Mapping[str, int]) -> float:
    return sum(costs.of(f"{what}.{name}") * tenths / 10 for name, tenths in mix.items())


def _compared(what: str, unit: str, foretold: float, measured: list[float]) -> Iterator[Figure]:
    yield Figure(f"foretold, {what}", unit, [foretold])
    found = Figure(f"measured, {what}", unit, measured)
    yield found
    apart = max(foretold / found.median, found.median / foretold)
    yield Figure(f"apart by, {what}", "ratio", [apart], MOST_APART)
