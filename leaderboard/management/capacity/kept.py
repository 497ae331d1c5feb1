"""The costs that benchmarks measured on this machine, kept in a file for `capacity`."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

# Where `make benchmark` keeps them, beside its database.
COSTS = Path(".bench/costs.json")


class Keyed(Protocol):
    """A figure that may have a key."""

    @property
    def key(self) -> str | None:
        """What the cost is called."""

    @property
    def unit(self) -> str:
        """What it is measured in."""

    @property
    def players(self) -> int | None:
        """How many players the season had, if that is not the largest of the run."""

    @property
    def median(self) -> float:
        """How much it is."""


class Cost(NamedTuple):
    """A measured cost, and the size of season that it was measured at."""

    value: float
    unit: str
    players: int
    measured_at: str


def read_costs(file: Path) -> dict[str, Cost]:
    """Return what is kept; nothing if the file is not there."""
    if not file.exists():
        return {}
    kept = json.loads(file.read_text("utf-8"))
    return {key: Cost(**cost) for key, cost in kept.items()}


def keep_costs(file: Path, figures: Iterable[Keyed], players: int) -> None:
    """Put the figures that have a key in the place of those that were kept of the same key."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    measured = {
        figure.key: Cost(figure.median, figure.unit, figure.players or players, now)
        for figure in figures
        if figure.key is not None
    }
    if measured:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".draft")
        draft.write_text(_text({**read_costs(file), **measured}), "utf-8")
        draft.replace(file)


def _text(costs: Mapping[str, Cost]) -> str:
    return json.dumps({key: cost._asdict() for key, cost in sorted(costs.items())}, indent=2)
