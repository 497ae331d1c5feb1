"""A Valkey or Redis of the benchmark's own, as durable as it is usually run."""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from config.launcher.binaries import find_valkey
from config.launcher.errors import CannotRun
from config.launcher.process import die_with_parent
from config.launcher.valkey import answers
from leaderboard.management.benchmarks.errors import CannotMeasure

HOST = "127.0.0.1"
# With fifty million players in its log it takes minutes to start.
SECONDS_TO_START, SECONDS_TO_STOP = 1_800.0, 60.0
SECONDS_BETWEEN_LOOKS = 0.005


class Valkey:
    """A server that keeps its data in a folder, from one start to the next."""

    def __init__(self, program: Path, folder: Path, core: int | None = None) -> None:
        """Choose a port that is free, and keep to one core if it is named."""
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            self.port = int(probe.getsockname()[1])
        self._program, self._folder, self._core = program, folder, core
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def client(self) -> "Redis":
        """Return a client, which connects when it is first used."""
        return Redis(host=HOST, port=self.port)

    @property
    def process_id(self) -> int:
        """Return the process that runs."""
        assert self._process is not None
        return self._process.pid

    @property
    def version(self) -> str:
        """Return what it calls itself, and its release."""
        found = self.client.info("server")
        name = str(found.get("server_name", "redis"))
        return f"{name} {found.get(f'{name}_version')}"

    @property
    def memory(self) -> int:
        """Return the bytes that it has taken for its data and itself."""
        return int(self.client.info("memory")["used_memory"])

    @property
    def log_bytes(self) -> int:
        """Return how long its append-only files are."""
        return sum(path.stat().st_size for path in self._folder.glob("appendonly*/*"))

    def start(self) -> float:
        """Start it, and return the seconds until it answers, with all its data in memory."""
        began = time.perf_counter()
        self._process = subprocess.Popen(  # noqa: S603
            [str(self._program), *self._settings()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        if self._core is not None:
            os.sched_setaffinity(self._process.pid, {self._core})
        self._wait_until_it_answers(self._process)
        return time.perf_counter() - began

    def stop(self) -> None:
        """Stop it in order: what it has is on the disk then."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(SECONDS_TO_STOP)
            self._process = None

    def _settings(self) -> Iterator[str]:
        yield from ("--bind", HOST, "--port", str(self.port), "--dir", str(self._folder))
        yield from ("--appendonly", "yes", "--appendfsync", "everysec", "--save", "")

    def _wait_until_it_answers(self, process: "subprocess.Popen[bytes]") -> None:
        end = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < end and process.poll() is None:
            if answers(f"redis://{HOST}:{self.port}/0"):
                return
            time.sleep(SECONDS_BETWEEN_LOOKS)
        raise CannotMeasure("The server of the sorted set does not answer.")


@contextmanager
def valkey(core: int | None = None) -> Iterator[Valkey]:
    """Run a server in a folder of its own; both are gone afterwards, also after failure."""
    try:
        program = find_valkey(os.environ)
    except CannotRun as reason:
        raise CannotMeasure(str(reason)) from None
    # Beside the database's data, so that both write to the same disk.
    with tempfile.TemporaryDirectory(prefix="laurel-", dir=os.environ.get("DATA_DIR")) as folder:
        server = Valkey(program, Path(folder).resolve(), core)
        try:
            server.start()
            yield server
        finally:
            server.stop()
