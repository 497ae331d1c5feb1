"""A PostgreSQL cluster of our own: made once, started as a direct child, known when ready."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from config.launcher.account import Account
from config.launcher.binaries import OLDEST_POSTGRES, PostgresBinaries
from config.launcher.errors import CannotRun
from config.launcher.postgres_settings import Settings
from config.launcher.process import Process, die_with_parent

SUPERUSER = "laurel"
DATABASE = "laurel"
PID_LINE, STATUS_LINE = 0, 7


@dataclass(frozen=True)
class Cluster:
    """Where a cluster is, and what runs it how."""

    data: Path
    log: Path
    binaries: PostgresBinaries
    account: Account
    port: int
    password: str
    settings: Settings

    def url(self, database: str = DATABASE) -> str:
        """Return the address of one of its databases."""
        return f"postgresql://{SUPERUSER}:{self.password}@127.0.0.1:{self.port}/{database}"


def major_of(data: Path) -> int | None:
    """Return the major version that made the cluster; None if there is none yet."""
    if not data.exists():
        return None
    try:
        return int((data / "PG_VERSION").read_text().strip())
    except (OSError, ValueError):
        raise CannotRun(
            f"{data} is not a PostgreSQL data folder (PG_VERSION is missing or unreadable): "
            "restore it, or choose another DATA_DIR."
        ) from None


def initialise(cluster: Cluster) -> None:
    """Make the cluster if there is none; one that was not finished is begun anew."""
    if cluster.data.exists():
        if cluster.data.stat().st_uid == 0:
            # A copy that root made: the server only takes what is its own.
            cluster.account.give(cluster.data)
        return
    draft = cluster.data.with_name(f"{cluster.data.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    password = cluster.data.with_name("initial.password")
    password.touch(mode=0o600)
    password.write_text(f"{cluster.password}\n")
    try:
        for path in (draft, password):
            cluster.account.give(path)
        _initdb(cluster, draft, password)
    finally:
        password.unlink()
    draft.rename(cluster.data)


def process(cluster: Cluster) -> Process:
    """Return how its server is run."""
    settings = {**cluster.settings, "port": str(cluster.port)}
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    return Process(
        name="postgres",
        command=(str(cluster.binaries.folder / "postgres"), "-D", str(cluster.data), *options),
        environment=_environment(),
        folder=Path("/"),
        account=cluster.account,
        log=cluster.log,
        before_start=lambda: _forget_another_process(cluster.data),
        ready=lambda pid: _is_ready(cluster.data, pid),
        # After a crash it first repeats what is in its log, up to max_wal_size.
        seconds_to_start=600.0,
        stop_signal=signal.SIGINT,
        seconds_to_stop=60.0,
    )


def ensure_database(cluster: Cluster) -> None:
    """Make the database of the application if it is missing."""
    try:
        with psycopg.connect(cluster.url("postgres"), autocommit=True) as connection:
            exists = "SELECT FROM pg_database WHERE datname = %s"
            if connection.execute(exists, [DATABASE]).fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
    except psycopg.Error as problem:
        raise CannotRun(
            f"The database in {cluster.data} does not let us in: {first_line(problem)}."
        ) from None


def check_given(url: str) -> None:
    """Refuse a DATABASE_URL that cannot be reached or is of an old version."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            version = connection.info.server_version
    except psycopg.Error as problem:
        raise CannotRun(
            f"The database of DATABASE_URL cannot be reached: {first_line(problem)}."
        ) from None
    major = version // 10_000
    if major < OLDEST_POSTGRES:
        raise CannotRun(
            f"The database of DATABASE_URL is PostgreSQL {major}; "
            f"{OLDEST_POSTGRES} or newer is needed."
        )


def first_line(problem: Exception) -> str:
    """Return the first line of a message, without its full stop."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(problem).__name__


def _initdb(cluster: Cluster, data: Path, password: Path) -> None:
    command = [
        *cluster.account.prefix,
        str(cluster.binaries.folder / "initdb"),
        *("-D", str(data), "-U", SUPERUSER, "--pwfile", str(password)),
        *("--encoding=UTF8", "--auth=scram-sha-256", *_locale(cluster.binaries.major)),
        "--no-sync" if cluster.settings["fsync"] == "off" else "--data-checksums",
    ]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd="/",
        env=_environment(),
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGTERM),
        **cluster.account.popen_arguments(),
    )
    if done.returncode != 0:
        raise CannotRun(
            f"PostgreSQL could not make its data folder {cluster.data}: {_complaint(done.stdout)}."
        )


def _complaint(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if "error" in line or "FATAL" in line]
    return lines[0].rstrip(".") if lines else output.strip()[-200:]


def _locale(major: int) -> list[str]:
    # Both sort by code point; the builtin one also knows letters beyond ASCII.
    if major >= 17:
        return ["--no-locale", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--no-locale"]


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C", "TZ": "UTC"}


def _is_ready(data: Path, pid: int) -> bool:
    # A file of a killed server says "ready" as well: only the line of this process counts.
    lines = _pid_file(data)
    return (
        len(lines) > STATUS_LINE and lines[PID_LINE] == str(pid) and lines[STATUS_LINE] == "ready"
    )


def _forget_another_process(data: Path) -> None:
    """
    Remove the pid file of a killed server whose number belongs to something else by now.

    PostgreSQL takes any process of that number for a server and would not start: another
    program, but also its own dead body while nobody has taken its exit status.
    """
    lines = _pid_file(data)
    with suppress(OSError, ValueError, IndexError):
        number = int(lines[PID_LINE])
        os.kill(number, 0)
        if not _works_in(number, data):
            (data / "postmaster.pid").unlink()


def _works_in(pid: int, folder: Path) -> bool:
    if sys.platform != "linux":
        return True
    try:
        return (Path("/proc") / str(pid) / "cwd").readlink() == folder
    except OSError:
        return False


def _pid_file(data: Path) -> list[str]:
    try:
        return [line.strip() for line in (data / "postmaster.pid").read_text().splitlines()]
    except OSError:
        return []
