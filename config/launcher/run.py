"""`make run`: everything in order, watched, and stopped in order."""

import errno
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from config.launcher.console import say
from config.launcher.data_folder import DataFolder
from config.launcher.embedded import Embedding, start_services
from config.launcher.errors import CannotRun, StopRequested
from config.launcher.leftovers import end_leftovers, mark
from config.launcher.postgres_settings import available_memory, durable, free_room
from config.launcher.process import Process, exit_reason
from config.launcher.supervisor import Supervisor

SECONDS_UNTIL_HINT = 60.0


@dataclass(frozen=True)
class Address:
    """Where the web server listens."""

    host: str
    port: int


@dataclass(frozen=True)
class Program:
    """What runs beside the database and the broker, in the order of their start."""

    preparations: tuple[Process, ...]
    processes: tuple[Process, ...]
    is_ready: Callable[[], bool]
    ready_text: str


def run(
    folder: DataFolder, address: Address, program: Callable[[Mapping[str, str]], Program]
) -> None:
    """
    Run a program with its services in the foreground until a signal asks to stop.

    `program` is given the environment of its processes. Raises CannotRun after
    everything was stopped again.
    """
    supervisor = Supervisor()
    with folder.locked(), supervisor.listening_to_signals():
        end_leftovers(folder.path)
        check_free(address)
        try:
            _serve(supervisor, folder, program)
        except StopRequested:
            pass
        finally:
            _stop(supervisor)


def check_free(address: Address) -> None:
    """Refuse an address on which one cannot listen."""
    try:
        family, kind, protocol, _name, place = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as problem:
        raise CannotRun(_why_not(address, problem)) from None


def _serve(
    supervisor: Supervisor,
    folder: DataFolder,
    program: Callable[[Mapping[str, str]], Program],
) -> None:
    say("Starting the database and the broker ...")
    services = start_services(
        supervisor,
        Embedding(folder, durable(available_memory(), free_room(folder.path)), os.environ),
    )
    planned = program(
        {
            **os.environ,
            **services.environment(),
            **mark(folder.path),
            "DATA_DIR": str(folder.path),
            "SECRET_KEY": os.environ.get("SECRET_KEY") or folder.secret("secret.key"),
        }
    )
    for preparation in planned.preparations:
        _prepare(supervisor, preparation)
    for process in planned.processes:
        supervisor.start(process)
    if not supervisor.wait(planned.is_ready, SECONDS_UNTIL_HINT):
        say("The server is not ready yet; what its processes say stands above.")
        supervisor.wait(planned.is_ready, float("inf"))
    say(planned.ready_text)
    supervisor.watch()


def _stop(supervisor: Supervisor) -> None:
    if supervisor.pids():
        say("Stopping ...")
        supervisor.stop()
        say("Stopped.")


def _prepare(supervisor: Supervisor, preparation: Process) -> None:
    status = supervisor.run(preparation)
    if status != 0:
        raise CannotRun(
            f"The step `{preparation.name}` failed ({exit_reason(status)}); "
            "what it said stands above."
        )


def _why_not(address: Address, problem: OSError) -> str:
    place = f"port {address.port} of {address.host}"
    if problem.errno == errno.EADDRINUSE:
        return (
            f"The {place} is in use by another program: stop that, "
            "or choose another port, for example PORT=8080 make run."
        )
    if problem.errno == errno.EACCES:
        return f"This user may not listen on {place}: choose a PORT above 1023."
    return f"One cannot listen on {place} ({problem.strerror}): look at HOST and PORT."
