"""A copy of the benchmark's PostgreSQL in its own folder: to crash, or to follow the first."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from config.launcher import postgres
from config.launcher.account import account_for
from config.launcher.binaries import find_postgres
from config.launcher.postgres import Cluster
from config.launcher.postgres_settings import available_memory, durable, free_room
from config.launcher.process import Child
from leaderboard.management.benchmarks.connecting import Connection
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.room import Room
from leaderboard.management.benchmarks.web_server import free_port

SECONDS_TO_LET_GO = 10.0
SECONDS_TO_START = 600.0
SECONDS_BETWEEN_LOOKS = 0.01
# The first server works beside it.
SHARE_OF_MEMORY = 4
DATABASE_BYTES = "SELECT sum(pg_database_size(oid)) FROM pg_database"
REPLICATES = "SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user"


class Copy(NamedTuple):
    """Where the copy is, how it is run, and what the copying took."""

    cluster: Cluster
    database: str
    seconds: float
    bytes: int

    @property
    def url(self) -> str:
        """Return the address of the copied database, with the account of the first server."""
        return self.database.replace("PORT", str(self.cluster.port))


@contextmanager
def copied_server(connection: Connection, *, follows: bool) -> Iterator[Copy]:
    """
    Copy the server of a connection by pg_basebackup for the block; `follows`: as a standby.

    Raises CannotMeasure where the role may not, the program is missing, or the disk is too full.
    """
    program = _program(connection)
    with _scratch_folder(connection) as folder:
        data = folder / "data"
        began = time.perf_counter()
        _copy(program, connection, data, follows=follows)
        seconds = time.perf_counter() - began
        size = sum(path.stat().st_size for path in data.rglob("*") if path.is_file())
        yield Copy(_cluster(folder, data), _url(connection), seconds, size)


@contextmanager
def running(copy: Copy) -> Iterator[Child]:
    """Run the copied server during the block."""
    child = start(copy)
    try:
        yield child
    finally:
        child.kill()


def start(copy: Copy) -> Child:
    """
    Start the copied server, and wait until it is ready.

    As long as processes of a killed one hold its memory, the new one gives up: it is tried again.
    """
    began = time.monotonic()
    child = Child(postgres.process(copy.cluster))
    while not child.ready():
        waited = time.monotonic() - began
        gave_up = child.status() is not None
        if waited > (SECONDS_TO_LET_GO if gave_up else SECONDS_TO_START):
            child.kill()
            raise CannotMeasure(f"The copied server does not start: {child.last_words()}")
        time.sleep(SECONDS_BETWEEN_LOOKS)
        if gave_up:
            child.kill()
            child = Child(postgres.process(copy.cluster))
    return child


def _program(connection: Connection) -> Path:
    program = find_postgres(os.environ, connection.info.server_version // 10_000)
    found = program.folder / "pg_basebackup"
    allowed = connection.execute(REPLICATES).fetchone()
    if not found.exists() or allowed is None or not allowed[0]:
        raise CannotMeasure("A copy needs pg_basebackup, and a role that may replicate.")
    return found


@contextmanager
def _scratch_folder(connection: Connection) -> Iterator[Path]:
    needed = connection.execute(DATABASE_BYTES).fetchone()
    assert needed is not None
    # The copy gets a log of its own as large as the first one's.
    Room(connection).require(2 * int(needed[0]))
    folder = Path(tempfile.mkdtemp(prefix="laurel-copy-", dir=_disk()))
    try:
        # PostgreSQL may run as another user, who has to pass.
        folder.chmod(0o711)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _disk() -> Path:
    """Return a folder on the disk, not in memory: what is measured is durable."""
    return Path(os.environ.get("DATA_DIR") or tempfile.gettempdir())


def _copy(program: Path, connection: Connection, data: Path, *, follows: bool) -> None:
    info = connection.info
    command = [
        *(str(program), "--pgdata", str(data), "--checkpoint=fast", "--wal-method=stream"),
        *("--host", info.host, "--port", str(info.port), "--username", info.user),
        *(["--write-recovery-conf"] if follows else []),
    ]
    done = subprocess.run(  # noqa: S603
        command,
        env={**os.environ, "PGPASSWORD": info.password},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotMeasure(f"pg_basebackup failed: {done.stderr.strip()[-300:]}")


def _cluster(folder: Path, data: Path) -> Cluster:
    binaries = find_postgres(os.environ)
    account = account_for(binaries.folder / "postgres", folder)
    account.give(data)
    settings = durable(available_memory() // SHARE_OF_MEMORY, free_room(folder))
    log = folder / "postgres.log"
    return Cluster(data, log, binaries, account, free_port(), "", settings)


def _url(connection: Connection) -> str:
    info = connection.info
    return f"postgresql://{info.user}:{info.password}@127.0.0.1:PORT/{info.dbname}"
