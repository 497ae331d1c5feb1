"""How long a season's boards take to be made anew from the ledger, and how much memory."""

from collections.abc import Iterator

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.figures import Figure, at_most
from leaderboard.management.benchmarks.workers import Worker

LONGEST, MOST_MEMORY = at_most(180), at_most(300)
SOURCES = ("ledger", "bests")


def rebuilding(bench: Bench) -> Iterator[Figure]:
    """Rebuild the largest season from each source, each in a process of its own."""
    for source in SOURCES:
        with Worker("rebuild", slug=bench.largest.slug, source=source) as worker:
            found = dict(worker.tell())
        size = f"{found['players']:,} players, {found['ledger_rows']:,} ledger rows"
        goal = LONGEST if source == "ledger" else None
        yield Figure(f"rebuild from the {source}, {size}", "s", [found["seconds"]], goal)
        yield Figure(f"rebuild from the {source}, peak", "MB", [found["peak"]], MOST_MEMORY)
        for phase, seconds in found["phases"].items():
            yield Figure(f"rebuild from the {source}: until {phase}", "s", [seconds])
        yield Figure(f"rebuild from the {source}: proof alone", "s", [found["proof"]])
