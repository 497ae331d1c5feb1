"""Starts launchers as a person would: as processes of their own, known by what they print."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from config.launcher.leftovers import leftovers
from config.launcher.postgres_settings import available_memory
from config.launcher.program import PROJECT
from config.launcher.temporary import IN_MEMORY, place_for_temporary

PATIENCE = 60.0


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait for something observable, and give up loudly."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"it never happened: {what}"
        time.sleep(0.05)


def kill(*pids: int) -> None:
    """Kill what is still alive of these."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def open_folder() -> Iterator[Path]:
    """Give a folder, in memory if it can be, that vanishes afterwards."""
    # Not pytest's own folder, which is closed: PostgreSQL may run as another user than root.
    place = place_for_temporary(os.environ, IN_MEMORY, available_memory())
    with tempfile.TemporaryDirectory(prefix="launched-", dir=place) as name:
        Path(name).chmod(0o711)
        yield Path(name)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def bare_environment(**more: str) -> dict[str, str]:
    """Return the environment without the services of the test run itself."""
    hidden = {"DATABASE_URL", "BROKER_URL", "DATA_DIR", "SECRET_KEY", "HOST", "PORT"}
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**kept, "PYTHONPATH": str(PROJECT), **more}


class Launched:
    """A launcher that runs in the background, with what it prints."""

    def __init__(self, command: list[str], output: Path, **environment: str) -> None:
        self._output = output
        with output.open("wb") as file:
            self.popen = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=bare_environment(**environment),
            )

    @property
    def output(self) -> str:
        return self._output.read_text()

    def says(self, text: str) -> None:
        """Wait until it has printed this."""
        eventually(
            lambda: text in self.output or self.popen.poll() is not None, f"{text}: {self.output}"
        )
        assert text in self.output, self.output

    def line_of(self, word: str) -> list[str]:
        """Wait until it has printed a whole line that begins so, and return the words after."""
        whole = re.compile(rf"^{word} (.*)\n", re.MULTILINE)
        eventually(
            lambda: bool(whole.search(self.output)) or self.popen.poll() is not None,
            f"{word}: {self.output}",
        )
        found = whole.search(self.output)
        assert found is not None, self.output
        return found[1].split()

    def ends(self) -> int:
        """Wait for its end and return its exit status."""
        return self.popen.wait(PATIENCE)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.popen.send_signal(number)
        return self.ends()


class FakeServer(Launched):
    """`make run` with fakes in place of Laurel's processes."""

    def __init__(self, folder: Path, port: int, *names: str, **environment: str) -> None:
        self.folder = folder
        self.port = port
        command = [sys.executable, "-m", "tests.config.fake_server"]
        arguments = [str(folder), str(port), json.dumps(names or ("worker", "web"))]
        super().__init__(
            [*command, *arguments],
            folder.with_name(f"output-{time.monotonic_ns()}"),
            **environment,
        )

    def starts_counted(self) -> int:
        """Return how often its web process has been started on this data."""
        return self._answer()[0]

    def web_pid(self) -> int:
        return self._answer()[1]

    def postmaster(self) -> int:
        return int((self.folder / "postgres" / "postmaster.pid").read_text().split()[0])

    def left(self) -> list[int]:
        """Return its processes that are alive, the launcher excepted."""
        return leftovers(self.folder)

    def _answer(self) -> tuple[int, int]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        connection.request("GET", "/readyz")
        starts, pid = connection.getresponse().read().split()
        connection.close()
        return int(starts), int(pid)


def refused(folder: Path, port: int) -> str:
    """Return what a fake server prints that does not even start."""
    server = FakeServer(folder, port)
    try:
        assert server.ends() == 1
    finally:
        kill(server.popen.pid)
    return server.output


@contextmanager
def fake_server(folder: Path, port: int, *names: str, **environment: str) -> Iterator[FakeServer]:
    """Give a fake server, and kill what is left of it afterwards."""
    server = FakeServer(folder, port, *names, **environment)
    try:
        yield server
    finally:
        server.popen.kill()
        server.popen.wait()
        kill(*server.left())
