"""How long a season's boards take to be made anew, also under load, and how much memory."""

from collections.abc import Iterator

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.figures import Figure, Goal, at_most
from leaderboard.management.benchmarks.live import live
from leaderboard.management.benchmarks.workers import Worker
from seasons.models import Season

LONGEST, MOST_MEMORY = at_most(180), at_most(300)
PHASES = ("folded", "indexed", "counted", "caught_up", "compared", "shadowed", "swapped")


def rebuilding(bench: Bench) -> Iterator[Figure]:
    """Rebuild the largest season from each source, and from the ledger while results arrive."""
    yield from _rebuilt(
        bench.largest, "ledger", "rebuild from the ledger", LONGEST, "rebuild_us.player"
    )
    yield from _rebuilt(bench.largest, "bests", "rebuild from the bests")
    with live(bench.largest, bench.options.rate) as load:
        yield from _rebuilt(bench.largest, "ledger", "rebuild from the ledger, live")
    yield Figure("results applied during a rebuild", "1/s", [load.writer.report["rate"]])


def _rebuilt(
    season: Season, source: str, what: str, goal: Goal | None = None, key: str | None = None
) -> Iterator[Figure]:
    with Worker("rebuild", slug=season.slug, source=source) as worker:
        found = dict(worker.tell())
    season.refresh_from_db()
    size = f"{found['players']:,} players, {found['ledger_rows']:,} ledger rows"
    yield Figure(f"{what}, {size}", "s", [found["seconds"]], goal)
    each = found["seconds"] * 1e6 / found["players"]
    yield Figure(f"{what}, a player", "µs", [each], key=key)
    yield Figure(f"{what}, peak", "MB", [found["peak"]], MOST_MEMORY)
    for phase in PHASES:
        yield Figure(f"{what}: until {phase}", "s", [found["phases"][phase]])
    yield Figure(f"{what}: proof alone", "s", [found["proof"]])
