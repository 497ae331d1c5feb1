"""Ask a web server as fast as it answers, or at a pace, by wrk: a compiled client."""

import json
import os
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import NamedTuple

from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.players import FIRST_ID

PROGRAM = "wrk"
SCRIPT = Path(__file__).with_name("wrk.lua")


class Question(NamedTuple):
    """
    What is asked: `PLAYER` in it is one of so many players, drawn each time.

    Of several paths with blanks between them one is drawn each time; with a body it is a POST.
    """

    path: str
    players: int = 1
    encoding: str = ""
    body: str = ""


class Pace(NamedTuple):
    """By how many connections, how long, and with how long a pause before each request."""

    connections: int
    seconds: int
    pause_milliseconds: int = 0


class Asked(NamedTuple):
    """What it came to; times are in milliseconds, from a request to the end of its reply."""

    requests: int
    seconds: float
    failed: int
    p50: float
    p95: float
    p99: float
    bytes: int

    @property
    def rate(self) -> float:
        """Return the requests a second."""
        return self.requests / self.seconds


def is_installed() -> bool:
    """Return whether there is a client to ask with."""
    return shutil.which(PROGRAM) is not None


def ask(port: int, question: Question, pace: Pace, core: int | None = None) -> Asked:
    """Ask from one thread, on one core if it is named; every reply must have status 200."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise CannotMeasure("wrk is not installed: apt-get install wrk.")
    found = subprocess.run(  # noqa: S603
        [
            *(program, "--threads", "1", "--connections", str(pace.connections)),
            *("--duration", f"{pace.seconds}s", "--timeout", "10s", "--script", str(SCRIPT)),
            *(f"http://127.0.0.1:{port}/", "--", question.path, str(FIRST_ID)),
            *(str(question.players), str(pace.pause_milliseconds), question.encoding),
            question.body,
        ],
        check=True,
        capture_output=True,
        text=True,
        preexec_fn=None if core is None else partial(os.sched_setaffinity, 0, {core}),
    ).stdout
    asked = Asked(**json.loads(found.splitlines()[-1]))
    if asked.failed or not asked.requests:
        raise CannotMeasure(
            f"{asked.failed} of {asked.requests} requests for {question.path} failed."
        )
    return asked
