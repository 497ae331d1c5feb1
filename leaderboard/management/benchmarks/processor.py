"""How long processes of this machine ran on a processor, and how much memory they had."""

import os
import resource
from contextlib import suppress
from pathlib import Path

from leaderboard.management.benchmarks.connecting import Connection

PROC = Path("/proc")
THIS_MACHINE = frozenset({"", "127.0.0.1", "::1"})
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
PARENT, CHILDREN_TICKS = 1, slice(13, 15)


def seconds_on_processor(pid: int) -> float | None:
    """Return how long a process has run on a processor; None if it is not to be seen here."""
    with suppress(OSError):
        return sum(map(_seconds, (PROC / str(pid) / "task").iterdir()))
    return None


def seconds_of_family(pid: int) -> float:
    """Return how long a process and its children have run, those included that ended."""
    living = sum(seconds_on_processor(member) or 0.0 for member in (pid, *_children(pid)))
    return living + sum(map(int, _stat(pid)[CHILDREN_TICKS])) / TICKS_A_SECOND


def peak_megabytes() -> float:
    """Return the most memory that this process has had, but not the one that started it."""
    # What getrusage says goes on from before the program was replaced.
    for line in (PROC / "self" / "status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def megabytes_of_family(pid: int) -> float:
    """Return the memory of a process and its children; what they share counts once."""
    return sum(map(_megabytes, (pid, *_children(pid))))


def server_process(connection: Connection) -> int | None:
    """Return the process whose children serve the database; None if it is not to be seen here."""
    if connection.info.hostaddr not in THIS_MACHINE:
        return None
    return _parent(connection.info.backend_pid)


def _parent(pid: int) -> int | None:
    with suppress(OSError):
        return int(_stat(pid)[PARENT])
    return None


def _stat(pid: int) -> list[str]:
    # Behind the name, which may have blanks and brackets in it.
    return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()


def _children(pid: int) -> list[int]:
    numbers = (int(path.name) for path in PROC.glob("[0-9]*"))
    return [number for number in numbers if _parent(number) == pid]


def _megabytes(pid: int) -> float:
    with suppress(OSError):
        for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def _seconds(task: Path) -> float:
    with suppress(OSError):
        return int((task / "schedstat").read_text().split()[0]) / 1e9
    return 0.0
