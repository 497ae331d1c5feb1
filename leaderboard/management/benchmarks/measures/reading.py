"""The statements that players wait for, against the barest look-up there is, by pgbench."""

from functools import partial

import numpy as np

from leaderboard.management.benchmarks import pgbench
from leaderboard.management.benchmarks.befriending import LISTS
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.figures import Figure, at_least, at_most, ratios
from leaderboard.management.benchmarks.pgbench import Load, Run, Script, as_script
from leaderboard.management.benchmarks.players import FIRST_ID
from leaderboard.queries import Published, published
from leaderboard.queries.friends import FRIENDS
from leaderboard.queries.neighbours import NEIGHBOURS, NEIGHBOURS_UNLESS_CHANGED
from leaderboard.queries.rank_of_player import RANK_OF_PLAYER, RANK_UNLESS_CHANGED_FROM_0
from leaderboard.queries.ranking import ByKind
from leaderboard.rules import GLOBAL_BOARD

RADIUS = 10
BARE = "bare look-up"
# Who has changed since the version needs the long statement, as does who stands beside one:
# few at any moment.
STATEMENTS = {
    "rank": ByKind(RANK_UNLESS_CHANGED_FROM_0, RANK_UNLESS_CHANGED_FROM_0),
    "rank of a changed player": RANK_OF_PLAYER,
    "neighbours": NEIGHBOURS_UNLESS_CHANGED,
    "neighbours of a changed player": NEIGHBOURS,
    "friends": FRIENDS,
}
GOALS = {"rank": at_least(0.8), "neighbours": at_least(0.35)}
LONGEST = {"neighbours": at_most(5.0), "friends": at_most(100.0)}

# As a server does, the client asks now and then which version is current.
DRAWN = "\\set player_id random({first}, {last})"
PREPARATION = """{drawn}
\\set again random(1, 1000)
\\if :again = 1
SELECT number AS version FROM leaderboard_current WHERE season_id = {season_id} \\gset
\\endif"""
BARE_LOOK_UP = """SELECT score, tie_key, epoch, score_version FROM scores_best_n{namespace}
WHERE namespace = {namespace} AND player_id = :player_id"""


def reading(bench: Bench, names: tuple[str, ...], conditions: str) -> list[Figure]:
    """Measure statements and the bare look-up in turn, for each number of clients."""
    players = max(bench.seasons)
    scripts = _scripts(published(bench.largest.slug), players, names)
    figures = []
    for clients in bench.options.clients:
        ways = {script.name: partial(_run, bench, script, clients) for script in scripts}
        where = f"{conditions}, {players:,} players, {clients} clients"
        runs = bench.in_turn(f"reads {where}", ways)
        figures += _figures(runs, names, where)
    return figures


def _scripts(season: Published, players: int, names: tuple[str, ...]) -> list[Script]:
    bare = BARE_LOOK_UP.format(namespace=season.namespace)
    statements = [(name, STATEMENTS[name].on(season, GLOBAL_BOARD)) for name in names]
    return [
        as_script(name, text, _preparation(season, players, name))
        for name, text in [(BARE, bare), *statements]
    ]


def _preparation(season: Published, players: int, name: str) -> str:
    return preparation_for(season, min(players, LISTS) if name == "friends" else players)


def preparation_for(season: Published, players: int) -> str:
    """Return the lines that draw one of the first players and keep the version current."""
    return PREPARATION.format(drawn=drawn_of(players), season_id=season.season_id)


def drawn_of(players: int) -> str:
    """Return the line that draws one of the first players."""
    return DRAWN.format(first=FIRST_ID, last=FIRST_ID + players - 1)


def _run(bench: Bench, script: Script, clients: int) -> Run:
    version = published(bench.largest.slug).current
    variables = {"version": version, "radius": RADIUS}
    return pgbench.run(bench.connection, script, Load(clients, bench.options.seconds, variables))


def _figures(runs: dict[str, list[Run]], names: tuple[str, ...], where: str) -> list[Figure]:
    rates = {
        name: Figure(f"{name}, {where}", "1/s", [run.rate for run in runs[name]])
        for name in (BARE, *names)
    }
    figures = [*rates.values()]
    for name in names:
        figures.append(
            ratios(f"{name} / bare, {where}", rates[name], rates[BARE], GOALS.get(name))
        )
        figures.append(_typical(name, where, runs))
    for name in (BARE, *names):
        longest = _percentiles(runs[name], 99)
        figures.append(Figure(f"{name} p99, {where}", "ms", longest, LONGEST.get(name)))
        spent = [run.processor_microseconds for run in runs[name] if run.processor_microseconds]
        if spent:
            figures.append(Figure(f"{name} in the database, {where}", "µs CPU", spent))
    return figures


def _typical(name: str, where: str, runs: dict[str, list[Run]]) -> Figure:
    # The median time is hardly touched by whoever else is using the machine.
    ours, bare = (_percentiles(runs[one], 50) for one in (name, BARE))
    pairs = zip(ours, bare, strict=True)
    return Figure(f"{name} / bare by median time, {where}", "ratio", [b / o for o, b in pairs])


def _percentiles(runs: list[Run], share: int) -> list[float]:
    return [float(np.percentile(run.milliseconds, share)) for run in runs]
