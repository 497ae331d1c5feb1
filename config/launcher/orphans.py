"""Processes that a command started and did not end."""

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PROC = Path("/proc")


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_children(but: set[int]) -> None:
    """Kill the children of this process except those named, and the orphans that this makes."""
    while pids := [pid for pid in children() if pid not in but]:
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def children() -> list[int]:
    """Return the ids of the processes whose parent this one is; none where /proc is missing."""
    mine = str(os.getpid())
    numbers = [path for path in PROC.glob("[0-9]*") if _parent(path) == mine]
    return [int(path.name) for path in numbers]


def _parent(process: Path) -> str:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[1]
    except OSError:
        return ""
