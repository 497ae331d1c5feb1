"""What was checked in each step, what differed, and how long it took."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from time import monotonic
from typing import Any

NOTHING = "nothing"
SAID_OF_A_STEP = 10
LONGEST = 400

Say = Callable[[str], None]


class Step:
    """One step of a demo, and what came of it."""

    def __init__(self, title: str) -> None:
        """Begin with nothing checked."""
        self.title = title
        self.checked = 0
        self.mismatches = 0
        self.seconds = 0.0
        self.amounts: Counter[str] = Counter()
        self.spent: Counter[str] = Counter()


class Checks:
    """Compares what was found with what was expected, and says at once what differs."""

    def __init__(self, say: Say) -> None:
        """Say it to somebody."""
        self._say = say
        self.steps: list[Step] = []

    @property
    def mismatches(self) -> int:
        """How much differed in all steps."""
        return sum(step.mismatches for step in self.steps)

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Count all that the block checks as one step."""
        step = Step(title)
        self.steps.append(step)
        self._say(f"{len(self.steps)}. {title}")
        began = monotonic()
        try:
            yield
        finally:
            step.seconds = monotonic() - began
        wrong = f"{step.mismatches:,} MISMATCHES" if step.mismatches else "no mismatch"
        self._say(f"   {step.checked:,} checks, {wrong}, {step.seconds:.1f} s")

    @contextmanager
    def timed(self, what: str, amount: int) -> Iterator[None]:
        """Note that the block does so many of something, for its rate."""
        began = monotonic()
        yield
        self.steps[-1].amounts[what] += amount
        self.steps[-1].spent[what] += monotonic() - began  # type: ignore[assignment]

    def saw(self, line: str) -> None:
        """Say what was seen."""
        self._say(f"   {line}")

    def equal(self, what: str, expected: object, found: object) -> bool:
        """Count a check, and say so if the two differ."""
        step = self.steps[-1]
        step.checked += 1
        if expected == found:
            return True
        step.mismatches += 1
        if step.mismatches <= SAID_OF_A_STEP:
            place, wanted, seen = first_difference(expected, found)
            self._say(f"   MISMATCH {what}{place and f', at {place}'}")
            self._say(f"      expected {_short(wanted)}")
            self._say(f"      found    {_short(seen)}")
        return False

    def holds(self, what: str, truth: bool) -> bool:  # noqa: FBT001 - what it is about
        """Count a check of something that must be so."""
        return self.equal(what, "so", "so" if truth else "not so")

    def within(self, what: str, seconds: float, limit: float) -> bool:
        """Check that something took no longer than a limit, and say how long it took."""
        self.saw(f"{what} after {seconds:.2f} s")
        return self.holds(f"{what} within {limit:g} s", seconds <= limit)


def first_difference(expected: Any, found: Any) -> tuple[str, Any, Any]:
    """Return the first place where two values differ, such as /entries/3/rank, and both there."""
    for key, wanted, seen in _parts(expected, found):
        if wanted != seen:
            place, *both = first_difference(wanted, seen)
            return (f"/{key}{place}", *both)
    return "", expected, found


def _parts(expected: Any, found: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the parts of two values of one kind and shape; nothing for any others."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*expected, *found)):
            yield key, expected.get(key, NOTHING), found.get(key, NOTHING)
    elif isinstance(expected, list) and isinstance(found, list):
        pairs = zip_longest(expected, found, fillvalue=NOTHING)
        yield from ((at, wanted, seen) for at, (wanted, seen) in enumerate(pairs))
    elif isinstance(expected, bytes) and isinstance(found, bytes) and b"\n" in expected:
        yield from _parts(expected.split(b"\n"), found.split(b"\n"))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
