"""Whether the disk has room for what a run writes, where PostgreSQL keeps its data."""

import shutil
from contextlib import suppress

from leaderboard.management.benchmarks.connecting import Connection
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.processor import server_process

GIGABYTE = 10**9
LEFT_FREE = 5 * GIGABYTE
# A role that may not know the folder gets no row.
DATA_FOLDER = "SELECT setting FROM pg_settings WHERE name = 'data_directory'"
SIZE = "SELECT pg_total_relation_size(%s::regclass)"


class Room:
    """The room on the disk of a server on this machine; of another one nothing is known."""

    def __init__(self, connection: Connection) -> None:
        """Find out where the data are."""
        found = connection.execute(DATA_FOLDER).fetchone()
        is_here = server_process(connection) is not None
        self._folder = str(found[0]) if found and is_here else None

    def free(self) -> int | None:
        """Return how many bytes are free; None if that is not to be seen from here."""
        if self._folder is not None:
            with suppress(OSError):
                return shutil.disk_usage(self._folder).free
        return None

    def require(self, needed: int = 0) -> None:
        """Raise CannotMeasure if less than 5 GB would stay free after so many bytes more."""
        free = self.free()
        if free is not None and free - needed < LEFT_FREE:
            raise CannotMeasure(
                f"Stopped: {free / GIGABYTE:.1f} GB are free where PostgreSQL keeps its data, "
                f"the next step takes {needed / GIGABYTE:.1f} GB, and {LEFT_FREE // GIGABYTE} GB "
                "stay free. Make room, or choose fewer players."
            )


def size_of(connection: Connection, table: str) -> int:
    """Return the bytes of a table with its indexes."""
    found = connection.execute(SIZE, [table]).fetchone()
    assert found is not None
    return int(found[0])
