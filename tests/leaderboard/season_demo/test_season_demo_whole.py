"""The whole demo against a running server, sound and with planted faults."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from config.launcher.leftovers import leftovers
from config.launcher.program import PROJECT
from tests.config.launched import Launched, bare_environment, free_port, kill
from tests.leaderboard.season_demo.between import between
from tests.leaderboard.simulation.faults import rows_in

pytestmark = pytest.mark.slow

Json = dict[str, Any]


class Server(NamedTuple):
    port: int
    folder: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a running server."""
    found = Server(free_port(), tmp_path_factory.mktemp("demo") / "data")
    command = [sys.executable, "-m", "config.launcher", "run"]
    environment = {"DATA_DIR": str(found.folder), "PORT": str(found.port)}
    launched = Launched(command, found.folder.with_name("output"), **environment)
    try:
        launched.says("Laurel is ready")
        yield found
        launched.stop(signal.SIGINT)
    finally:
        launched.popen.kill()
        launched.popen.wait()
        kill(*leftovers(found.folder))


def run(server: Server, season: str, url: str) -> tuple[int, str]:
    """Return exit status and report of `manage.py season_demo`."""
    done = subprocess.run(
        [sys.executable, "manage.py", "season_demo", "--season", season, "--base-url", url],
        cwd=PROJECT,
        env=bare_environment(DATA_DIR=str(server.folder), PLAYERS="300", LOOK_AT="50"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_whole_season_of_a_sound_server_agrees_with_the_model(server: Server) -> None:
    status, report = run(server, "sound", f"http://127.0.0.1:{server.port}")
    assert status == 0, report
    assert "9. The proof from the ledger" in report
    assert "MISMATCH" not in report


def spoil(path: str, body: Json) -> None:
    """Plant a rank that is one too high, a wrong checksum, and a player lost."""
    if "/results" in path:
        body["checksum"]["value"] = "0" * 64
    if "/lookup" in path:
        del body["entries"][-1]
    if "/neighbors" in path:
        for row in rows_in(body):
            row["rank"] += row["rank"] == 10


def test_planted_faults_are_each_reported_and_end_in_status_1(server: Server) -> None:
    with between(server.port, spoil) as url:
        status, report = run(server, "spoiled", url)
    assert status == 1, report
    for words in (
        "MISMATCH checksum of the results, at /checksum/value",
        "players, at /entries/",
        "MISMATCH neighbours of",
    ):
        assert words in report
    assert "\n   MISMATCH rank of" not in report


def test_nothing_but_a_pass_through_changes_nothing(server: Server) -> None:
    with between(server.port, lambda *_: None) as url:
        status, report = run(server, "passed-on", url)
    assert status == 0, report
