"""The processes that make load: started, stopped and heard by the benchmark."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from django.db import connections

from leaderboard.management.benchmarks.errors import CannotMeasure

PROJECT = Path(__file__).resolve().parents[3]
SECONDS_TO_STOP = 30.0


class Worker:
    """A process of its own with one role, from the start of a block to its end."""

    def __init__(self, role: str, **arguments: Any) -> None:
        """Name one of the functions in `roles`, and what it is called with."""
        self.report: dict[str, Any] = {}
        self._environment = environment()
        self._may_fail = False
        self._command = [
            *(sys.executable, "-m", "leaderboard.management.benchmarks.worker"),
            *(role, json.dumps(arguments)),
        ]

    def elsewhere(self, database: str) -> Self:
        """Let it work on the database of an address, which may go away under it."""
        self._environment = {**self._environment, "DATABASE_URL": database}
        self._may_fail = True
        return self

    def __enter__(self) -> Self:
        """Start it, and wait until it is about to begin."""
        self._process = subprocess.Popen(  # noqa: S603
            self._command,
            cwd=PROJECT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if self._may_fail else None,
            text=True,
        )
        self.hear()
        return self

    @property
    def pid(self) -> int:
        """Which process it is."""
        return self._process.pid

    def tell(self) -> dict[str, Any]:
        """Let it go on, and wait for what it says then."""
        self.let_go_on()
        return self.hear()

    def let_go_on(self) -> None:
        """Let it go on, and do not wait."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Wait for what it says next."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise CannotMeasure(f"{' '.join(self._command[2:4])} ended before its time.")
        self.report = json.loads(line)
        return self.report

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it: it stops when its input ends, and says what it did."""
        output, _ = self._process.communicate(timeout=SECONDS_TO_STOP)
        if kind is None and self._process.returncode and not self._may_fail:
            raise CannotMeasure(f"{' '.join(self._command[2:4])} failed.")
        if output:
            self.report = json.loads(output.splitlines()[-1])


def environment() -> Mapping[str, str]:
    """Return the environment of processes that work on the database of the settings."""
    described = {
        name: quote(str(value)) for name, value in connections.settings["default"].items()
    }
    return {
        **os.environ,
        "DATABASE_URL": "postgresql://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**described),
    }
