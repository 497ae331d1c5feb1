"""A data folder that is thrown away, in memory where there is plenty of it."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from config.launcher.data_folder import DataFolder, open_data_folder
from config.launcher.leftovers import end_leftovers
from config.launcher.postgres_settings import available_memory

PREFIX = "laurel-"
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - what is made in it has a name that nobody guesses
# A run of all tests holds less than a gigabyte at a time.
ENOUGH_ROOM = 4 * 1024**3
ENOUGH_MEMORY = 2 * ENOUGH_ROOM


@contextmanager
def temporary_folder() -> Iterator[DataFolder]:
    """Give a data folder that vanishes afterwards; those of killed launchers vanish first."""
    for place in (IN_MEMORY, Path(tempfile.gettempdir())):
        for path in place.glob(f"{PREFIX}*"):
            _remove_abandoned(path)
    place = place_for_temporary(os.environ, IN_MEMORY, available_memory())
    path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    try:
        # PostgreSQL may run as another user, who has to pass.
        path.chmod(0o711)
        yield open_data_folder(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)


def place_for_temporary(environment: Mapping[str, str], in_memory: Path, memory: int) -> Path:
    """
    Return where such a folder is made: where TMPDIR says, else in memory if it is large.

    A test's database is some hundred files that live for a second, which costs some file
    systems more than the test itself. `memory` is what this machine has, in bytes.
    """
    with suppress(OSError):
        roomy = shutil.disk_usage(in_memory).free >= ENOUGH_ROOM and memory >= ENOUGH_MEMORY
        if roomy and os.access(in_memory, os.W_OK) and not environment.get("TMPDIR"):
            return in_memory
    return Path(tempfile.gettempdir())


def _remove_abandoned(path: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(path / "launcher.lock", os.O_RDWR)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            end_leftovers(path)
            shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(descriptor)
