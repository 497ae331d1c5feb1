"""A web server as `make run` starts it, for the time of a measurement."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.workers import PROJECT, environment

THREADS = "16"
SECONDS_TO_START = 30.0
PRODUCT = "config.wsgi:application"


@contextmanager
def web_server(application: str = PRODUCT, core: int | None = None) -> Iterator[tuple[int, int]]:
    """Run a web server, on one core if it is named, and give its port and process."""
    port = free_port()
    process = subprocess.Popen(  # noqa: S603
        [
            *(sys.executable, "-m", "granian", "--interface", "wsgi", "--workers", "1"),
            *("--blocking-threads", THREADS, "--no-ws", "--log-level", "error"),
            *("--host", "127.0.0.1", "--port", str(port), application),
        ],
        cwd=PROJECT,
        env={**environment(), "WEB_THREADS": THREADS},
    )
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    try:
        _wait_until_it_answers(process, port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(SECONDS_TO_START)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_it_answers(process: "subprocess.Popen[bytes]", port: int) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=1)
        try:
            connection.request("GET", "/livez")
            if connection.getresponse().status == HTTPStatus.OK:
                return
        except (OSError, HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    raise CannotMeasure("The web server does not answer.")
