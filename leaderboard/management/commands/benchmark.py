"""`manage.py benchmark`: figures of this machine, each beside its yardstick."""

import logging
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from leaderboard.management.benchmarks.bench import Options
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.run import BY_NAME, MEASURES, benchmark


class Command(BaseCommand):
    """Load seasons of real size and measure reads, publications and writes."""

    help = (
        "Loads seasons into a database of its own (`make benchmark` gives it one), puts the load "
        "of production on it, and measures reads, publications and writes, each beside its "
        "yardstick, in turn. Seasons that are there already are used again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take sizes and lengths; the defaults finish within a quarter of an hour."""
        parser.add_argument(
            "--players",
            type=_numbers,
            default="1000000,10000000",
            help="players of each season, such as 1000000,10000000",
        )
        parser.add_argument(
            "--only",
            type=_measures,
            default=_usual(),
            help=f"some of {','.join(MEASURES)}; without it all but {','.join(sorted(BY_NAME))}. "
            "sorted-set, count-star and materialised-view do the same work on a server of Valkey "
            "or Redis of their own and on copies in plain SQL, in turn with Laurel; load has the "
            "latency of reads at 10 to 100 %% of what the server can do",
        )
        parser.add_argument("--clients", type=_numbers, default="1,4", help="of pgbench")
        for name, default, meaning in (
            ("seconds", 3, "length of one run of pgbench"),
            ("repeat", 5, "how often each thing is measured"),
            ("rate", 3_000, "results a second while live"),
            ("reads", 500, "rank reads a second over HTTP while `visible` is measured, by wrk"),
            ("warm-up", 130, "seconds of that load before anything is measured"),
            ("changes", 20_000, "changes in a publication"),
            ("batches", 60, "batches of 1,000 results sent in one measurement over HTTP"),
            ("connections", 4, "of the HTTP client"),
            ("seasons", 50, "seasons present, small ones besides"),
            ("results-per-player", 1, "ledger rows of each player that is loaded"),
        ):
            parser.add_argument(
                f"--{name}", type=int, default=default, help=f"{meaning} ({default})"
            )
        parser.add_argument("--json", type=Path, help="file for all figures")
        parser.add_argument("--costs", type=Path, help="file that `capacity` reads")
        parser.add_argument("--plot", type=Path, help="SVG or PNG for what `load` measures")
        parser.add_argument(
            "--drop", action="store_true", help="drop all tables of this database afterwards"
        )

    def handle(self, *_: Any, **given: Any) -> None:
        """Migrate, load, measure, and show the table."""
        logging.disable(logging.INFO)
        call_command("migrate", verbosity=0)
        try:
            benchmark(Options(**{name: given[name] for name in Options._fields}), self._say)
        except CannotMeasure as reason:
            raise CommandError(str(reason)) from reason

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _usual() -> str:
    return ",".join(measure for measure in MEASURES if measure not in BY_NAME)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.replace("_", "").split(","))


def _measures(text: str) -> frozenset[str]:
    asked = frozenset(text.split(","))
    if unknown := asked - set(MEASURES):
        raise ValueError(f"unknown: {', '.join(unknown)}")
    return asked
