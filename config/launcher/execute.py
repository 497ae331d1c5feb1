"""Runs one command with a database and a broker of its own."""

import os
import secrets
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from config.launcher.data_folder import DataFolder
from config.launcher.embedded import Embedding, start_services
from config.launcher.errors import CannotRun, StopRequested
from config.launcher.leftovers import end_leftovers
from config.launcher.orphans import adopt_orphans, end_children
from config.launcher.postgres_settings import Settings
from config.launcher.process import die_with_parent
from config.launcher.supervisor import Supervisor

SECONDS_AFTER_SIGNAL = 20.0
NOT_FOUND = 127


def execute(command: Sequence[str], folder: DataFolder, settings: Settings) -> int:
    """
    Run the command with services on the data folder, and return its exit status.

    It finds them by DATABASE_URL and BROKER_URL. Whatever happens, the services and
    every process that the command left behind are ended.
    """
    supervisor = Supervisor()
    adopt_orphans()
    with folder.locked(), supervisor.listening_to_signals():
        end_leftovers(folder.path)
        try:
            services = start_services(supervisor, Embedding(folder, settings, os.environ))
            environment = {
                **os.environ,
                **services.environment(),
                "DATA_DIR": str(folder.path),
                "SECRET_KEY": os.environ.get("SECRET_KEY") or secrets.token_urlsafe(32),
            }
            return _run(command, environment, supervisor)
        except StopRequested:
            return 128 + supervisor.signals[0]
        finally:
            end_children(but=supervisor.pids())
            supervisor.stop()


def _run(command: Sequence[str], environment: Mapping[str, str], supervisor: Supervisor) -> int:
    try:
        running = subprocess.Popen(
            command, env=environment, preexec_fn=die_with_parent(signal.SIGTERM)
        )
    except OSError as problem:
        raise CannotRun(f"The command {command[0]} cannot be run: {problem.strerror}.") from None
    status = _wait(running, supervisor)
    return status if status >= 0 else 128 - status


def _wait(running: "subprocess.Popen[bytes]", supervisor: Supervisor) -> int:
    passed_on = 0
    kill_at = float("inf")
    while (status := running.poll()) is None:
        supervisor.step()
        for number in supervisor.signals[passed_on:]:
            if not (number == signal.SIGINT and _shares_terminal()):
                running.send_signal(number)
            if number != signal.SIGINT:
                kill_at = min(kill_at, time.monotonic() + SECONDS_AFTER_SIGNAL)
            passed_on += 1
        if time.monotonic() > kill_at:
            running.kill()
    return status


def _shares_terminal() -> bool:
    """Tell whether Ctrl-C reaches the command without us, as it belongs to the same job."""
    with suppress(OSError):
        return os.tcgetpgrp(0) == os.getpgrp()
    return False
