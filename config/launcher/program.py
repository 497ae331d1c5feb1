"""The processes of Laurel, in the order in which they start."""

import http.client
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from config.launcher.data_folder import DataFolder
from config.launcher.process import Process
from config.launcher.run import Address, Program

PROJECT = Path(__file__).resolve().parents[2]
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not listened on
WEB_THREADS = "64"
# It concerns messages that can carry code (pickle), which are not used here.
NOT_ABOUT_ROOT = ("-W", "ignore:You're running the worker with superuser privileges")

READY = """
Laurel is ready.

  API documentation   {url}/api/docs/
  Match-service token {token}

Send a result, and read the ranks:

  curl -s {url}/internal/v1/seasons/demo/scores:apply \\
    -H "Authorization: Bearer $(cat '{token}')" -H 'Content-Type: application/json' \\
    -d '{{"event_id": "event-'$(date +%s)'", "match_id": "match-1", "player_id": "ada",
         "best_score": 4200, "score_version": '$(date +%s)',
         "completed_at": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}}'
  curl -s {url}/v1/seasons/demo/leaderboard/top

Ctrl-C stops everything in order.
"""


def laurel(folder: DataFolder, address: Address) -> Callable[[Mapping[str, str]], Program]:
    """Return what makes the program of `make run` out of the environment of its processes."""

    def program(environment: Mapping[str, str]) -> Program:
        child = _Children(
            {
                **environment,
                "HOST": address.host,
                "PORT": str(address.port),
                "WEB_THREADS": environment.get("WEB_THREADS", WEB_THREADS),
                "PYTHONUNBUFFERED": "1",
            }
        )
        url = f"http://{_in_url(_reachable(address.host))}:{address.port}"
        return Program(
            preparations=(
                child.manage("migrate", "--noinput", "--verbosity=0"),
                child.manage("bootstrap", "--token-file", str(folder.token)),
            ),
            processes=(
                child.worker("publish"),
                child.worker("default"),
                child.worker("slow"),
                child.web(address),
                child.beat(folder.beat_schedule),
            ),
            is_ready=lambda: answers_ready(_reachable(address.host), address.port),
            ready_text=READY.format(url=url, token=_short(folder.token)),
        )

    return program


class _Children:
    """Makes processes that share one environment."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def manage(self, command: str, *arguments: str) -> Process:
        return self._python(command, str(PROJECT / "manage.py"), command, *arguments)

    def web(self, address: Address) -> Process:
        return self._python(
            "web",
            *("-m", "granian", "--interface", "wsgi", "--workers", "1"),
            *("--blocking-threads", self._environment["WEB_THREADS"], "--no-ws"),
            *("--host", address.host, "--port", str(address.port), "--log-level", "error"),
            "config.wsgi:application",
        )

    def worker(self, queue: str) -> Process:
        return self._celery(
            queue,
            *("worker", "--queues", queue, "--pool", "solo", "--hostname", f"{queue}@%h"),
            *("--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
        )

    def beat(self, schedule: Path) -> Process:
        # Without a pid file, for one that a killed beat left would keep the next from starting.
        return self._celery(
            "beat", "beat", "--schedule", str(schedule), "--pidfile=", "--loglevel", "WARNING"
        )

    def _celery(self, name: str, *arguments: str) -> Process:
        return self._python(
            name, *NOT_ABOUT_ROOT, "-m", "celery", "-A", "config", "--quiet", *arguments
        )

    def _python(self, name: str, *arguments: str) -> Process:
        return Process(
            name=name,
            command=(sys.executable, *arguments),
            environment=self._environment,
            folder=PROJECT,
        )


def answers_ready(host: str, port: int) -> bool:
    """Tell whether `/readyz` answers with 200."""
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _reachable(host: str) -> str:
    return EVERY_ADDRESS.get(host, host)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _short(path: Path) -> str:
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
