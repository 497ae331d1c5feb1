"""`python -m config.launcher exec`: a command with a database and a broker of its own."""

import os
import signal
import sys
from pathlib import Path

import pytest

from config.launcher.leftovers import leftovers
from tests.config.launched import Launched, eventually

EXEC = [sys.executable, "-m", "config.launcher", "exec", "--ephemeral", "--"]
SHOW = "import os; print('RUNS', os.getpid(), os.environ['DATA_DIR'], flush=True)"
FORGETFUL = """
import signal, sys
read_end, write_end = os.pipe()
if os.fork() == 0:
    os.setsid()
    print("CHILD", os.getpid(), flush=True)
    os.write(write_end, b".")
    signal.pause()
os.read(read_end, 1)
"""
WAIT = f"{SHOW}; import signal; signal.pause()"


class Executed(Launched):
    """A Python program run by it."""

    def __init__(self, tmp_path: Path, program: str) -> None:
        super().__init__([*EXEC, sys.executable, "-c", program], tmp_path / "output")

    def shown(self) -> tuple[int, Path]:
        """Return the command's process id and its data folder."""
        pid, folder = self.line_of("RUNS")
        return int(pid), Path(folder)


def test_the_command_finds_both_services_and_may_do_everything(tmp_path: Path) -> None:
    program = """
import os, psycopg, redis
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
    connection.execute("SET session_replication_role = replica")
    connection.execute("CREATE DATABASE other TEMPLATE laurel")
    print("version", connection.info.server_version // 10000)
print("pong", redis.Redis.from_url(os.environ["BROKER_URL"]).ping())
"""
    executed = Executed(tmp_path, program)
    assert executed.ends() == 0
    assert "pong True" in executed.output


@pytest.mark.parametrize(
    ("program", "status"),
    [("raise SystemExit(0)", 0), ("raise SystemExit(7)", 7), ("import os; os.abort()", 134)],
)
def test_its_exit_status_is_that_of_the_command(tmp_path: Path, program: str, status: int) -> None:
    assert Executed(tmp_path, program).ends() == status


def test_a_command_that_does_not_exist_is_told_in_one_sentence(tmp_path: Path) -> None:
    executed = Launched([*EXEC, "/no/such/command"], tmp_path / "output")
    assert executed.ends() == 1
    assert executed.output == (
        "The command /no/such/command cannot be run: No such file or directory.\n"
    )


def test_nothing_is_left_of_processes_that_the_command_forgot(tmp_path: Path) -> None:
    executed = Executed(tmp_path, f"{SHOW}\n{FORGETFUL}")
    _pid, folder = executed.shown()
    child = int(executed.line_of("CHILD")[0])
    assert executed.ends() == 0
    assert not _alive(child)
    assert not folder.exists()
    assert leftovers(folder) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_reaches_the_command_and_stops_everything(
    tmp_path: Path, number: signal.Signals
) -> None:
    executed = Executed(tmp_path, WAIT)
    pid, folder = executed.shown()
    assert executed.stop(number) in {128 + number, 1, 130}
    assert not _alive(pid)
    assert not folder.exists()
    assert leftovers(folder) == []


def test_everything_dies_with_it_and_the_next_one_removes_the_folder(tmp_path: Path) -> None:
    killed = Executed(tmp_path, WAIT)
    pid, folder = killed.shown()
    killed.stop(signal.SIGKILL)
    eventually(lambda: not _alive(pid) and leftovers(folder) == [], "all are gone")
    assert Executed(tmp_path, "pass").ends() == 0
    assert not folder.exists()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
