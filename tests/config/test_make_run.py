"""What a newcomer does: start the whole server, type what it shows, kill it, start it again."""

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from config.launcher.leftovers import leftovers
from config.launcher.program import PROJECT
from tests.config.launched import (
    Launched,
    bare_environment,
    eventually,
    free_port,
    kill,
    open_folder,
)


class Server(Launched):
    """`make run` in a data folder of its own."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        command = [sys.executable, "-m", "config.launcher", "run"]
        output = folder / f"output-{os.urandom(4).hex()}"
        super().__init__(command, output, DATA_DIR=str(folder / "data"), PORT=str(port))

    def left(self) -> list[int]:
        return leftovers(self.folder / "data")

    def read(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as reply:
            return json.load(reply)

    def shown_commands(self) -> str:
        """Return the lines that it shows for typing."""
        return self.output.split("read the ranks:")[1].split("Ctrl-C")[0]


@contextmanager
def server(folder: Path, port: int) -> Iterator[Server]:
    running = Server(folder, port)
    try:
        running.says("Laurel is ready")
        yield running
    finally:
        kill(running.popen.pid, *running.left())
        running.popen.wait()


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as path:
        yield path


@pytest.mark.database
@pytest.mark.skipif(shutil.which("curl") is None, reason="the shown commands need curl")
def test_what_it_shows_can_be_typed_and_outlives_a_kill_of_everything(folder: Path) -> None:
    port = free_port()
    with server(folder, port) as first:
        assert _type(first.shown_commands())["outcome"] == "improved"
        eventually(lambda: _ranked(first) == ["ada"], "the result is published")
        assert _manage(folder, "migrate", "--check") == 0
    with server(folder, port) as second:
        assert _ranked(second) == ["ada"]
        assert _type(second.shown_commands())["outcome"] == "not_improved"
        assert second.stop(signal.SIGINT) == 0
        assert second.output.splitlines()[-1] == "Stopped."
        assert second.left() == []


def _type(commands: str) -> Any:
    shown = commands.rstrip().rpartition("\n")[0]
    done = subprocess.run(
        ["sh", "-c", shown], capture_output=True, text=True, check=True, env=bare_environment()
    )
    return json.loads(done.stdout)


def _ranked(running: Server) -> list[str]:
    entries = running.read("/v1/seasons/demo/leaderboard/top")["entries"]
    return [entry["player_id"] for entry in entries]


def _manage(folder: Path, *arguments: str) -> int:
    return subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *arguments],
        env=bare_environment(DATA_DIR=str(folder / "data")),
        check=False,
    ).returncode
