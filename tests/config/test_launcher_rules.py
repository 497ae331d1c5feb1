"""The launcher's decisions that need no running process, and its refusals on the command line."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from config.launcher import temporary
from config.launcher.binaries import find_postgres, find_valkey
from config.launcher.data_folder import DataFolder
from config.launcher.errors import CannotRun
from config.launcher.postgres_settings import durable, ephemeral, log_size, shared_buffers
from config.launcher.restarts import Restarts
from config.launcher.temporary import place_for_temporary
from tests.config.launched import bare_environment, free_port

GIBIBYTE = 1024**3


def test_the_pause_before_a_restart_doubles_until_the_fifth_death_within_a_minute() -> None:
    restarts = Restarts()
    assert [restarts.pause_after_death(float(now)) for now in range(5)] == [
        0.25,
        0.5,
        1.0,
        2.0,
        None,
    ]


def test_deaths_of_more_than_a_minute_ago_are_forgotten() -> None:
    restarts = Restarts()
    assert [restarts.pause_after_death(now) for now in (0.0, 1.0, 60.0, 61.0, 200.0)] == [
        0.25,
        0.5,
        0.5,
        0.5,
        0.25,
    ]


@pytest.mark.parametrize(
    ("memory", "megabytes"),
    [(256 * 1024**2, 128), (1 * GIBIBYTE, 256), (4 * GIBIBYTE, 1024), (64 * GIBIBYTE, 2048)],
)
def test_shared_buffers_are_a_quarter_of_the_memory_within_bounds(
    memory: int, megabytes: int
) -> None:
    assert shared_buffers(memory) == megabytes


@pytest.mark.parametrize(
    ("room", "megabytes"),
    [(GIBIBYTE, 4096), (40 * GIBIBYTE, 10 * 1024), (1024 * GIBIBYTE, 64 * 1024)],
)
def test_the_log_may_take_a_quarter_of_the_free_disk(room: int, megabytes: int) -> None:
    assert log_size(room) == megabytes
    assert durable(GIBIBYTE, room)["max_wal_size"] == f"{megabytes}MB"


@pytest.mark.parametrize("name", ["fsync", "synchronous_commit", "full_page_writes"])
def test_only_the_server_of_make_run_waits_for_the_disk(name: str) -> None:
    assert (durable(GIBIBYTE, GIBIBYTE)[name], ephemeral()[name]) == ("on", "off")


def test_what_is_thrown_away_is_in_memory_only_where_there_is_plenty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = Path(tempfile.gettempdir())
    monkeypatch.setattr(temporary, "ENOUGH_ROOM", 1)
    assert place_for_temporary({}, tmp_path, 8 * GIBIBYTE) == tmp_path
    assert place_for_temporary({}, tmp_path, 8 * GIBIBYTE - 1) == elsewhere
    assert place_for_temporary({}, tmp_path / "nothing", 8 * GIBIBYTE) == elsewhere
    assert place_for_temporary({"TMPDIR": "/tmp"}, tmp_path, 8 * GIBIBYTE) == elsewhere
    monkeypatch.setattr(temporary, "ENOUGH_ROOM", 1 << 60)
    assert place_for_temporary({}, tmp_path, 8 * GIBIBYTE) == elsewhere


def test_a_chosen_folder_of_programs_is_the_only_one_that_counts(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="was not found \\(there is none at all\\)"):
        find_postgres({"PG_BINDIR": str(tmp_path)})


def test_the_wheels_bring_both_servers() -> None:
    assert find_postgres({}).major == 18
    assert find_valkey({}).name == "valkey-server"


def test_a_secret_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    made = folder.secret("secret.key")
    assert len(made) >= 43
    assert folder.secret("secret.key") == made
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600


def test_two_launchers_cannot_lock_one_folder(tmp_path: Path) -> None:
    with (
        DataFolder(tmp_path).locked(),
        pytest.raises(CannotRun, match="already runs"),
        DataFolder(tmp_path).locked(),
    ):
        pass


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("PORT", "http", "PORT is 'http'; it has to be a number from 1 to 65535."),
        ("PORT", "65536", "PORT is '65536'; it has to be a number from 1 to 65535."),
        ("HOST", "192.0.2.1", "One cannot listen on port {port} of 192.0.2.1 ("),
        ("DATA_DIR", "{file}", "The data folder {file} cannot be used ("),
        ("DATABASE_URL", "postgresql://me:hidden@127.0.0.1:1/x", "The database of DATABASE_URL"),
        ("BROKER_URL", "redis://:hidden@127.0.0.1:1/0", "The broker of BROKER_URL cannot be"),
        ("BROKER_URL", "amqp://127.0.0.1/", "BROKER_URL has to look like redis://host:port/0."),
        ("PG_BINDIR", "{folder}", "PostgreSQL 15 or newer is needed and was not found"),
    ],
)
def test_what_cannot_run_is_told_in_one_sentence(
    tmp_path: Path, variable: str, value: str, sentence: str
) -> None:
    (tmp_path / "file").touch()
    places = {"file": tmp_path / "file", "folder": tmp_path, "port": free_port()}
    environment = {"PORT": str(places["port"]), "DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, "-m", "config.launcher", "run"],
        env=bare_environment(**{**environment, variable: value.format(**places)}),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(sentence.format(**places))
    assert done.stderr.count("\n") == 1
    assert "hidden" not in done.stderr + done.stdout
