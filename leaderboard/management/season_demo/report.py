"""The table at the end of a demo. Pure."""

from collections.abc import Iterator, Sequence

from leaderboard.management.season_demo.checks import Step


def table(steps: Sequence[Step]) -> Iterator[str]:
    """Return the lines of the report on some steps."""
    yield ""
    yield f"{'step':<52}{'checks':>11}{'mismatches':>12}{'seconds':>9}  rates"
    for number, step in enumerate(steps, 1):
        yield _line(f"{number}. {step.title}", step.checked, step.mismatches, step.seconds) + (
            f"  {_rates(step)}" if step.amounts else ""
        )
    yield _line(
        "all",
        sum(step.checked for step in steps),
        sum(step.mismatches for step in steps),
        sum(step.seconds for step in steps),
    )


def _line(title: str, checked: int, mismatches: int, seconds: float) -> str:
    return f"{title:<52}{checked:>11,}{mismatches:>12,}{seconds:>9.1f}"


def _rates(step: Step) -> str:
    return ", ".join(
        f"{amount:,} {what} ({amount / max(step.spent[what], 0.001):,.0f}/s)"
        for what, amount in step.amounts.items()
    )
