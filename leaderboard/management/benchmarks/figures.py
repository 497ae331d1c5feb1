"""What was measured: figures, the goals they are held against, and how they are told."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

NARROWEST = 58


class Goal(NamedTuple):
    """A limit that the median has to reach."""

    relation: str
    limit: float

    def is_met(self, value: float) -> bool:
        """Return whether a value is on the right side of the limit."""
        return value >= self.limit if self.relation == ">=" else value <= self.limit


class Figure(NamedTuple):
    """
    One thing measured several times in a run, best told by its median.

    With a key it is kept as a cost of this machine, which `capacity` computes with; of a season of
    so many players, if that is not the largest of the run.
    """

    name: str
    unit: str
    values: Sequence[float]
    goal: Goal | None = None
    remark: str = ""
    key: str | None = None
    players: int | None = None

    @property
    def median(self) -> float:
        """Return the middle one of the values."""
        return statistics.median(self.values)

    @property
    def verdict(self) -> str:
        """Return whether the goal is met; nothing where there is none."""
        if self.goal is None:
            return ""
        return "met" if self.goal.is_met(self.median) else "missed"

    def as_json(self) -> dict[str, Any]:
        """Return all that is known of the figure."""
        return {
            "name": self.name,
            "unit": self.unit,
            "median": self.median,
            "values": list(self.values),
            "goal": f"{self.goal.relation} {self.goal.limit}" if self.goal else None,
            "key": self.key,
            "met": self.goal.is_met(self.median) if self.goal else None,
            "remark": self.remark,
        }


def at_least(limit: float) -> Goal:
    """Return the goal not to be below a limit."""
    return Goal(">=", limit)


def at_most(limit: float) -> Goal:
    """Return the goal not to be above a limit."""
    return Goal("<=", limit)


def ratios(name: str, ours: Figure, yardstick: Figure, goal: Goal | None = None) -> Figure:
    """Return ours over the yardstick, each with the one measured beside it."""
    pairs = zip(ours.values, yardstick.values, strict=True)
    return Figure(name, "ratio", [one / other for one, other in pairs], goal)


def beside(name: str, ours: Figure, theirs: Figure, *, less_is_better: bool = False) -> Figure:
    """Return ours over theirs, and say so where the median is theirs to win."""
    ratio = ratios(name, ours, theirs)
    loses = ratio.median > 1 if less_is_better else ratio.median < 1
    return ratio._replace(remark="Laurel loses" if loses else "")


def table(figures: Sequence[Figure]) -> Iterator[str]:
    """Return the lines of a table: median, lowest and highest, goal and verdict or remark."""
    names = [f"{figure.name} [{figure.unit}]" for figure in figures]
    width = max([NARROWEST, *map(len, names)])
    yield f"{'':<{width}}{'median':>12}{'lowest':>12}{'highest':>12}  goal"
    for figure, name in zip(figures, names, strict=True):
        numbers = (figure.median, min(figure.values), max(figure.values))
        shown = "".join(f"{_short(number):>12}" for number in numbers)
        goal = figure.goal and f"{figure.goal.relation} {figure.goal.limit:g} {figure.verdict}"
        yield f"{name:<{width}}{shown}  {goal or figure.remark}".rstrip()


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:,.3g}"
