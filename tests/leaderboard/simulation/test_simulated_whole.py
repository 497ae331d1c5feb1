"""The simulation against the whole server, sound, killed and with planted faults."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from config.launcher.leftovers import leftovers
from leaderboard.management.simulation.options import Options
from leaderboard.management.simulation.run import simulate
from tests.config.launched import Launched, bare_environment, eventually, free_port, kill
from tests.leaderboard.simulation.faults import (
    DuplicatedRow,
    Fault,
    LostEvent,
    NextWindow,
    RankPlusOne,
    SequentialTie,
    StaleTotal,
)
from tests.leaderboard.simulation.reference import Answer, Json
from tests.leaderboard.simulation.serving import Handle, serving

pytestmark = pytest.mark.slow

PLAYERS = 10_000
PASSED_ON = ("Authorization", "Prefer")


class Server(NamedTuple):
    url: str
    token: str
    folder: Path


class Upstream:
    """Asks the real server, on one connection per thread."""

    def __init__(self, server: Server) -> None:
        self.server, self.local = server, threading.local()
        self.opened: list[http.client.HTTPConnection] = []

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if not hasattr(self.local, "http"):
            self.local.http = http.client.HTTPConnection(urlsplit(self.server.url).netloc)
            self.opened.append(self.local.http)
        sent = {name: headers[name] for name in PASSED_ON if headers.get(name)}
        self.local.http.request(method, url, json.dumps(body) if body else None, sent | JSON)
        reply = self.local.http.getresponse()
        return reply.status, json.loads(reply.read())

    def close(self) -> None:
        for connection in self.opened:
            connection.close()


JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Give a server with 10,000 players in the season `demo`, a few with each score."""
    folder, port = tmp_path_factory.mktemp("whole") / "data", free_port()
    command = [sys.executable, "-m", "config.launcher", "run"]
    output = folder.with_name("output")
    launched = Launched(command, output, DATA_DIR=str(folder), PORT=str(port))
    try:
        launched.says("Laurel is ready")
        token = (folder / "match-service.token").read_text().strip()
        found = Server(f"http://127.0.0.1:{port}", token, folder)
        fill(found)
        yield found
        launched.stop(signal.SIGINT)
    finally:
        launched.popen.kill()
        launched.popen.wait()
        kill(*leftovers(folder))


def fill(server: Server) -> None:
    upstream = Upstream(server)
    path = "/internal/v1/seasons/demo/scores:apply"
    allowed = {"Authorization": f"Bearer {server.token}"}
    starts_at = upstream("GET", "/v1/seasons/demo", {}, None)[1]["starts_at"]
    events = [
        {
            "event_id": f"fill-{number}",
            "match_id": "fill",
            "player_id": f"old-{number:05d}",
            "best_score": number % 1500,
            "score_version": 1,
            "completed_at": starts_at,
        }
        for number in range(PLAYERS)
    ]
    for at in range(0, PLAYERS, 1000):
        assert upstream("POST", path, allowed, {"events": events[at : at + 1000]})[0] == 200
    top = "/v1/seasons/demo/leaderboard/top"
    eventually(lambda: upstream("GET", top, {}, None)[1]["total_players"] >= PLAYERS, "filled")
    upstream.close()


def run(server: Server, plant: type[Fault], *, seconds: float, batch: int = 0) -> tuple[int, str]:
    """Return exit status and report of a run against the server with a fault in front."""
    said: list[str] = []
    upstream = Upstream(server)
    handle: Handle = plant(upstream)
    with serving(handle) as url:
        options = Options(
            url, "demo", server.token, 100, players=100, seconds=seconds, reads=60, batch=batch
        )
        status = simulate(options, said.append)
    upstream.close()
    return status, "\n".join(said)


def test_the_sound_server_gives_no_mismatch(server: Server) -> None:
    status, report = run(server, Fault, seconds=15)
    assert status == 0, report


def test_a_series_of_its_own_is_played_too_and_ended(server: Server) -> None:
    """A window of two minutes may last as long as the test; it need not become final in it."""
    manage = [sys.executable, "manage.py", "simulate", "--base-url", server.url, "--seconds", "30"]
    environment = bare_environment(DATA_DIR=str(server.folder), RATE="100")
    done = subprocess.run(manage, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "-all-time" in done.stdout
    assert "\nmoves " in done.stdout
    assert "has ended by=simulate" in done.stderr


def test_a_web_process_killed_under_load_loses_no_event(server: Server) -> None:
    said: list[str] = []
    options = Options(server.url, "demo", server.token, 300, players=200, seconds=20)
    killer = threading.Timer(8, kill_web, (server.folder,))
    killer.start()
    status = simulate(options, said.append)
    killer.join()
    report = "\n".join(said)
    assert status == 0, report
    assert "connections lost" in report


def kill_web(folder: Path) -> None:
    for pid in leftovers(folder):
        if b"granian" in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("fault", "kind", "batch"),
    [
        (RankPlusOne, "rank", 0),
        (NextWindow, "later_version", 0),
        (LostEvent, "lost_event", 1),
        (DuplicatedRow, "duplicated_row", 0),
        (SequentialTie, "tie_rank", 0),
        (StaleTotal, "total", 0),
    ],
)
def test_a_fault_planted_before_it_is_reported_under_its_kind(
    server: Server, fault: type[Fault], kind: str, batch: int
) -> None:
    status, report = run(server, fault, seconds=10, batch=batch)
    assert status == 1
    assert f"\n{kind} " in report, report
