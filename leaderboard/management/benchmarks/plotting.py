"""Latency against load as a picture, by Matplotlib, which only tools need."""

import statistics
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from leaderboard.management.benchmarks.errors import CannotMeasure

SUFFIXES = (".svg", ".png")
STYLES = {50: "-", 99: "--"}
INCHES = (9, 5.5)


class Point(NamedTuple):
    """A step: per cent of the most, the rates that came of it, milliseconds by percentile."""

    step: int
    rates: Sequence[float]
    milliseconds: Mapping[int, Sequence[float]]


class Curve(NamedTuple):
    """What was asked for, the most that was answered a second, and the steps up to it."""

    name: str
    most: float
    points: Sequence[Point]


def require_plotting(file: Path) -> None:
    """Raise CannotMeasure if nothing can be drawn into such a file."""
    if file.suffix not in SUFFIXES:
        raise CannotMeasure(f"A plot is a file that ends in {' or '.join(SUFFIXES)}.")
    if find_spec("matplotlib") is None:
        raise CannotMeasure(
            "A plot needs Matplotlib, which the server does not: "
            "`make .venv/.dev` installs it with all that tests and checks need."
        )


def draw(file: Path, curves: Sequence[Curve], title: str) -> None:
    """Draw p50 and p99 of each curve against its load, one colour a curve."""
    # Only here, so that everything else goes without it.
    from matplotlib.figure import Figure

    figure = Figure(INCHES, layout="constrained")
    axes = figure.add_subplot()
    for number, curve in enumerate(curves):
        for share, style in STYLES.items():
            axes.plot(
                [curve.most * point.step / 100 for point in curve.points],
                [statistics.median(point.milliseconds[share]) for point in curve.points],
                style,
                color=f"C{number}",
                marker="o",
                label=f"{curve.name}, p{share}",
            )
    steps = ", ".join(str(point.step) for point in curves[0].points)
    load = f"requests a second: {steps} % of the most that each can do"
    axes.set(xscale="log", yscale="log", xlabel=load, ylabel="milliseconds", title=title)
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(file)
