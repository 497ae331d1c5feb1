"""How many results a second are imported from a file, by one process and by several at once."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.events import Improvements
from leaderboard.management.benchmarks.figures import Figure
from leaderboard.management.benchmarks.live import publishing
from leaderboard.management.benchmarks.posting import EVENTS_A_BATCH
from leaderboard.management.benchmarks.workers import Worker
from scores.rules import Event

PROCESSES = (1, 2, 4)


def importing(bench: Bench) -> list[Figure]:
    """Import files of results, each by so many processes that deliver parts of it."""
    events = bench.options.batches * EVENTS_A_BATCH
    source = Improvements(bench.connection, bench.smallest.namespace)
    with publishing(), TemporaryDirectory() as folder:
        file = Path(folder) / "events.ndjson"
        ways = {
            f"{processes} processes": partial(_seconds, bench, source, file, processes)
            for processes in PROCESSES
        }
        measured = bench.in_turn("import results", ways)
    where = f"{min(bench.seasons):,} players"
    return [
        Figure(f"imported by {way}, {where}", "1/s", [events / one for one in seconds])
        for way, seconds in measured.items()
    ]


def _seconds(bench: Bench, source: Improvements, file: Path, processes: int) -> float:
    events = source.batch(bench.options.batches * EVENTS_A_BATCH)
    file.write_bytes(b"\n".join(msgspec.json.encode(event.members) for event in events))
    with ExitStack() as started:
        team = [
            started.enter_context(_deliverer(bench.smallest.slug, file, part, processes))
            for part in range(1, processes + 1)
        ]
        began = time.monotonic()
        for worker in team:
            worker.let_go_on()
        told = [worker.hear()["told"] for worker in team]
        seconds = time.monotonic() - began
    _require_improved(told, events)
    return seconds


def _deliverer(slug: str, file: Path, part: int, of: int) -> Worker:
    return Worker("deliver", slug=slug, file=str(file), part=part, of=of)


def _require_improved(told: Sequence[str], events: Sequence[Event]) -> None:
    improved = sum(int(one.removeprefix("improved: ")) for one in told if one)
    if improved != len(events):
        raise CannotMeasure(f"{improved} of {len(events)} results improved.")
