"""Ask a sorted set by the compiled client that comes with Valkey and Redis, where it is."""

import csv
import shutil
import subprocess

from leaderboard.management.benchmarks.sorted_set import BOARD, SortedSet
from leaderboard.management.benchmarks.valkey import HOST

PROGRAMS = ("valkey-benchmark", "redis-benchmark")
REQUESTS_A_SECOND = 20_000


def program() -> str | None:
    """Return the client's path, if there is one."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def rank_rate(board: SortedSet, players: int, connections: int, seconds: int) -> float:
    """Return how many ranks a second it gets; it draws one of so many players each time."""
    found = subprocess.run(  # noqa: S603
        [
            *(str(program()), "-h", HOST, "-p", str(board.port), "--csv"),
            *("-c", str(connections), "-n", str(REQUESTS_A_SECOND * seconds), "-r", str(players)),
            *("EVALSHA", board.rank_of_number, "1", BOARD, "__rand_int__"),
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    *_, last = csv.reader(found.splitlines())
    return float(last[1])
