"""How long `verify` takes to prove a season from its ledger, and how much memory it needs."""

from collections.abc import Iterator

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure, at_most
from leaderboard.management.benchmarks.workers import Worker

LONGEST, MOST_MEMORY = at_most(180), at_most(300)
GOAL_ROWS = 30_000_000


def proving(bench: Bench) -> Iterator[Figure]:
    """Verify the largest season once, whole, and a sample of it, each in a process of its own."""
    for scope in ("whole", "sample"):
        with Worker("verify", slug=bench.largest.slug, scope=scope) as worker:
            found = dict(worker.tell())
        if not found["agrees"]:
            raise CannotMeasure(f"The season is not what its ledger says: {found['report']}")
        size = f"{found['players']:,} players, {found['ledger_rows']:,} ledger rows"
        goal = LONGEST if scope == "whole" and found["ledger_rows"] <= GOAL_ROWS else None
        yield Figure(f"verify {scope}, {size}", "s", [found["seconds"]], goal)
        yield Figure(f"verify {scope}, peak of its process", "MB", [found["peak"]], MOST_MEMORY)
        for phase in found["report"]["phases"]:
            yield Figure(f"verify {scope}: {phase['name']}", "s", [phase["seconds"]])
