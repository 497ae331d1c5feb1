"""Run one statement over and over by pgbench: a compiled client, prepared statements."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from django.db import connections
from numpy.typing import NDArray

from config.launcher.binaries import find_postgres
from config.launcher.errors import CannotRun
from leaderboard.management.benchmarks.connecting import Connection
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.processor import seconds_on_processor, server_process

SECONDS_BETWEEN_LOOKS = 0.05
BACKENDS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'pgbench'"

_RATE = re.compile(r"^tps = ([\d.]+)", re.MULTILINE)
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class Script(NamedTuple):
    """A statement as pgbench reads it, after the lines that set its variables."""

    name: str
    text: str


class Load(NamedTuple):
    """How a script is run: by how many clients, how long, with which variables."""

    clients: int
    seconds: int
    variables: Mapping[str, int]


class Run(NamedTuple):
    """What a run came to; the processor's time is unknown on another machine's server."""

    rate: float
    milliseconds: NDArray[np.float64]
    processor_microseconds: float | None


def as_script(name: str, statement: str, preparation: str) -> Script:
    """Return the script of a statement with psycopg's placeholders: the same parameters."""
    text = _PLACEHOLDER.sub(r":\1", statement).replace("%%", "%")
    return Script(name, f"{preparation}\n{text};\n")


def run(connection: Connection, script: Script, load: Load) -> Run:
    """Run a script with prepared statements and return its rate and times."""
    with tempfile.TemporaryDirectory(prefix="laurel-pgbench-") as folder:
        file = Path(folder) / "script.sql"
        file.write_text(script.text, "utf-8")
        with subprocess.Popen(  # noqa: S603
            [*_command(load), "--file", str(file)],
            env={**os.environ, **_address(connection), "PGOPTIONS": _options()},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            spent = _processor_seconds(connection, process)
            output, complaint = process.communicate()
        found = _RATE.search(output)
        if process.returncode or found is None:
            raise CannotMeasure(f"pgbench failed: {complaint.strip()[-500:]}")
        times = np.concatenate([_times(log) for log in Path(folder).glob("log*")])
    per_statement = spent / len(times) * 1e6 if spent is not None else None
    return Run(float(found[1]), times, per_statement)


def _address(connection: Connection) -> dict[str, str]:
    """Return where pgbench connects to, in variables that every release of it knows."""
    info = connection.info
    return {
        "PGHOST": info.host,
        "PGPORT": str(info.port),
        "PGUSER": info.user,
        "PGPASSWORD": info.password,
        "PGDATABASE": info.dbname,
    }


def _options() -> str:
    """Return the settings of the connections that reads go over: plans depend on them."""
    return str(connections.settings["reads"]["OPTIONS"].get("options", ""))


def _command(load: Load) -> list[str]:
    variables = [
        word for name, value in load.variables.items() for word in ("-D", f"{name}={value}")
    ]
    return [
        _program(),
        *("--no-vacuum", "--protocol=prepared", "--log", "--log-prefix=log"),
        *("--client", str(load.clients), "--jobs", str(min(load.clients, 2))),
        *("--time", str(load.seconds), *variables),
    ]


def _program() -> str:
    with suppress(CannotRun):
        beside_the_server = find_postgres(os.environ).folder / "pgbench"
        if beside_the_server.exists():
            return str(beside_the_server)
    if on_path := shutil.which("pgbench"):
        return on_path
    raise CannotMeasure("pgbench was not found: it comes with PostgreSQL's server programs.")


def _times(log: Path) -> NDArray[np.float64]:
    # The third of the columns is the time of one transaction in microseconds.
    return np.loadtxt(log, usecols=2, ndmin=1) / 1000


def _processor_seconds(connection: Connection, process: "subprocess.Popen[str]") -> float | None:
    """Watch the server's processes for pgbench to the end; return what they were seen to spend."""
    spent: dict[int, float] = {}
    is_here = server_process(connection) is not None
    while process.poll() is None:
        for (pid,) in connection.execute(BACKENDS).fetchall():
            spent[pid] = seconds_on_processor(pid) or 0.0
        with suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS_BETWEEN_LOOKS)
    return sum(spent.values()) if is_here else None
