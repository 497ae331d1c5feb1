"""A session for heavy statements, with work tables that go when it ends, however it ends."""

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from typing import Any

import psycopg
from django.db import connections

from config import db
from leaderboard.proof.findings import Phase

SECONDS_TO_CANCEL = 0.2

Say = Callable[[str], None]


class Clock:
    """Notes how long each phase took, and tells it."""

    def __init__(self, say: Say | None) -> None:
        """Take what to call with a line about each phase."""
        self.phases: list[Phase] = []
        self._say = say or _silent

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Run the block as a phase."""
        self._say(f"{name} ...")
        began = time.monotonic()
        yield
        self.phases.append(Phase(name, round(time.monotonic() - began, 3)))
        self._say(f"{name}: {self.phases[-1].seconds:.1f} s")


class Session:
    """The thread's own session of the database; another thread may interrupt it."""

    def __init__(self) -> None:
        """Have no connection yet."""
        self._raw: psycopg.Connection[Any] | None = None

    @contextlib.contextmanager
    def opened(self, work_tables: str) -> Iterator[None]:
        """Open it, make its work tables, and end it with the block."""
        try:
            db.run_script(work_tables, using="proof")
            self._raw = connections["proof"].connection
            yield
        finally:
            self._raw = None
            db.release("proof")

    def interrupt(self, work: "Future[Any]") -> None:
        """Cancel the statements that are running in it until the work that it is for has ended."""
        while not work.done():
            raw = self._raw
            if raw is not None:
                raw.cancel_safe()
            wait([work], timeout=SECONDS_TO_CANCEL)


def _silent(_: str) -> None:
    """Tell nobody."""
