"""Processes that a killed launcher left behind."""

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from config.launcher.errors import CannotRun

MARK = "LAUREL_LAUNCHED_ON"
SERVERS = {"postgres", "valkey-server", "redis-server"}
PROC = Path("/proc")
PATIENCE = 15.0


def mark(folder: Path) -> dict[str, str]:
    """Return the variable by which processes started on a data folder are known again."""
    return {MARK: str(folder)}


def end_leftovers(folder: Path) -> None:
    """
    End what an earlier launcher on this data folder started and left behind.

    Only to be called under the folder's lock, when no launcher can be alive. On
    systems without /proc there is nothing to look at.
    """
    if sys.platform != "linux":
        return
    for stop in (_ask_to_stop, _kill):
        if _ended(lambda: leftovers(folder), stop):
            return
    raise CannotRun(
        f"Processes of an earlier run on {folder} do not end: {leftovers(folder)}; end them first."
    )


def leftovers(folder: Path) -> list[int]:
    """Return the ids of the living processes that were started on this data folder."""
    numbers = [int(path.name) for path in PROC.iterdir() if path.name.isdigit()]
    return [pid for pid in numbers if pid != os.getpid() and _started_on(folder, PROC / str(pid))]


def _started_on(folder: Path, process: Path) -> bool:
    try:
        if f"{MARK}={folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
            return True
        # The servers write their title over their environment, but stay in their data folder.
        is_server = (process / "comm").read_text().strip() in SERVERS
        return is_server and (process / "cwd").readlink().parent == folder
    except OSError:
        return False


def _ended(still_there: Callable[[], list[int]], stop: Callable[[int], None]) -> bool:
    for pid in still_there():
        with suppress(ProcessLookupError):
            stop(pid)
    deadline = time.monotonic() + PATIENCE
    while still_there():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _ask_to_stop(pid: int) -> None:
    # For PostgreSQL SIGINT is the fast stop; SIGTERM would wait for its clients.
    is_postgres = (PROC / str(pid) / "comm").read_text().strip() == "postgres"
    os.kill(pid, signal.SIGINT if is_postgres else signal.SIGTERM)


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
