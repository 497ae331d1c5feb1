"""`manage.py capacity`: how many machines a game needs, from the costs that were measured."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.management.capacity import (
    Costs,
    Machine,
    Missing,
    Row,
    Verdict,
    Wanted,
    plan_for,
    verdicts_on,
)
from leaderboard.management.capacity.kept import COSTS, read_costs


class Command(BaseCommand):
    """Compute cores, machines, memory, disk, network and freshness."""

    help = (
        "Computes what a load needs from the costs that `make benchmark` measured on this kind "
        "of machine. Each row names what it assumes; the verdict names the limit that decided."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the load, and the machines to plan with."""
        usual, machine = Wanted(0, 0, 0), Machine()
        for name, meaning in (
            ("players", "players of a season, such as 50e6"),
            ("updates", "score events a second"),
            ("reads", "reads a second"),
        ):
            parser.add_argument(f"--{name}", type=_above_zero, required=True, help=meaning)
        for name, kind, default, meaning in (
            ("improve", _share, usual.improve, "share of the events that change a board"),
            ("top-share", _share, usual.top_share, "share of the reads that ask for the top"),
            ("headroom", _share, usual.headroom, "share of each machine that stays free"),
            ("windows", _count, usual.windows, "seasons that each event counts in"),
            ("cores", _count, machine.cores, "cores of a database machine"),
            ("memory-gb", _above_zero, machine.memory_gb, "its memory"),
            ("log-mb", _above_zero, machine.log_mb_a_second, "MB/s of log that it takes"),
            ("recovery", _above_zero, machine.recovery_seconds, "seconds that it may be away"),
        ):
            parser.add_argument(
                f"--{name}", type=kind, default=default, help=f"{meaning} ({default:g})"
            )
        parser.add_argument("--costs", type=Path, default=COSTS, help="what was measured")
        parser.add_argument("--json", action="store_true", help="all of it as JSON")

    def handle(self, *_: Any, **given: Any) -> None:
        """Compute, and show a table and the verdicts."""
        wanted = _wanted(given)
        costs = Costs(read_costs(given["costs"]))
        try:
            rows, verdicts = plan_for(wanted, costs), verdicts_on(wanted, costs)
        except Missing as missing:
            raise CommandError(str(missing.args[0])) from missing
        lines = _as_json(rows, verdicts) if given["json"] else _as_text(rows, verdicts, costs)
        for line in lines:
            self.stdout.write(line)


def _wanted(given: dict[str, Any]) -> Wanted:
    if given["headroom"] >= 1:
        raise CommandError("With a headroom of 1 nothing is left to work with.")
    machine = Machine(given["cores"], given["memory_gb"], given["log_mb"], given["recovery"])
    names = [name for name in Wanted._fields if name != "machine"]
    return Wanted(**{name: given[name] for name in names}, machine=machine)


def _as_json(rows: list[Row], verdicts: list[Verdict]) -> Iterator[str]:
    told = {
        # JSON has no infinity: a period that never ends is null.
        "rows": [
            {**row._asdict(), "value": row.value if isfinite(row.value) else None} for row in rows
        ],
        "verdicts": [verdict._asdict() for verdict in verdicts],
    }
    yield json.dumps(told, indent=2)


def _as_text(rows: list[Row], verdicts: list[Verdict], costs: Costs) -> Iterator[str]:
    yield f"From costs measured with {costs.players:,} players; a core is one of that machine."
    for row in rows:
        yield f"{row.name:<30}{_short(row.value):>10} {row.unit:<7}{row.basis:<13}{row.assumption}"
        if row.bound:
            yield f"{'':<30}{'':>10} {'':<7}{'bound':<13}{row.bound}"
    yield ""
    for verdict in verdicts:
        yield f"{verdict.budget:<12}{verdict.answer}: {verdict.limit}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def _above_zero(text: str) -> float:
    return _number(text, lambda number: 0 < number < float("inf"), "a number above 0")


def _share(text: str) -> float:
    return _number(text, lambda number: 0 <= number <= 1, "a share from 0 to 1")


def _count(text: str) -> int:
    return int(_number(text, lambda number: number >= 1 and number % 1 == 0, "a whole number"))


def _number(text: str, fits: Callable[[float], bool], meaning: str) -> float:
    try:
        number = float(text.replace("_", ""))
    except ValueError:
        number = float("nan")
    if not fits(number):
        raise ArgumentTypeError(f"{text} is not {meaning}")
    return number
