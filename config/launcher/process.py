"""One program that the launcher keeps running, and a running copy of it."""

import ctypes
import os
import re
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from config.launcher.account import MYSELF, Account
from config.launcher.console import say
from config.launcher.errors import CannotRun

PR_SET_PDEATHSIG = 1
TAIL = 16_384
READ_AT_ONCE = 65_536
NAME_WIDTH = 14


@dataclass(frozen=True)
class Process:
    """How a program is started, how one sees that it is ready, and how it is asked to stop."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    account: Account = MYSELF
    # Where its output goes; without a file it goes to the terminal, with the name before it.
    log: Path | None = None
    before_start: Callable[[], None] | None = None
    # Called with the process id; without it the program counts as ready once it was started.
    ready: Callable[[int], bool] | None = None
    seconds_to_start: float = 60.0
    stop_signal: signal.Signals = signal.SIGTERM
    seconds_to_stop: float = 15.0


class Child:
    """A started process: the head of a session of its own, which dies with the launcher."""

    def __init__(self, process: Process) -> None:
        """Start it."""
        self.process = process
        self._partial = b""
        self._last_lines: deque[str] = deque(maxlen=20)
        if process.before_start is not None:
            process.before_start()
        self._popen = self._spawn()
        self.output: IO[bytes] | None = self._popen.stdout
        if self.output is not None:
            os.set_blocking(self.output.fileno(), False)

    @property
    def pid(self) -> int:
        """Return the process id, which is also the id of its session and group."""
        return self._popen.pid

    def status(self) -> int | None:
        """Return the exit status once it has ended (negative: the signal), else None."""
        return self._popen.poll()

    def ready(self) -> bool:
        """Tell whether it does its work."""
        return self.process.ready is None or self.process.ready(self.pid)

    def pass_output_on(self) -> bool:
        """Print the complete lines that it wrote since the last call; False at its end."""
        written = self.output.read(READ_AT_ONCE) if self.output is not None else b""
        if written:
            self._take(written)
        return written != b""

    def close_output(self) -> None:
        """Print what is left of its output."""
        if self.output is None:
            return
        while written := self.output.read(READ_AT_ONCE):
            self._take(written)
        self._take(b"\n")
        self.output.close()
        self.output = None

    def ask_to_stop(self) -> None:
        """Send the signal that means an ordered stop."""
        if self.status() is None:
            self._popen.send_signal(self.process.stop_signal)

    def kill(self) -> None:
        """End what is left of it, its own children included, and take its exit status."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()

    def last_words(self) -> str:
        """Return the line of its output that most likely tells why it ended."""
        lines = self._last_lines if self.process.log is None else _tail(self.process.log)
        telling = [line for line in lines if re.search(r"FATAL|PANIC", line)]
        for line in reversed(telling or list(lines)):
            if said := re.sub(r"^.*?(?=FATAL|PANIC)", "", line).strip():
                return said
        return "it said nothing"

    def _take(self, written: bytes) -> None:
        *lines, self._partial = (self._partial + written).split(b"\n")
        for line in lines:
            self._show(line.decode("utf-8", "replace").rstrip())

    def _show(self, line: str) -> None:
        if line:
            self._last_lines.append(line)
            say(f"{self.process.name:<{NAME_WIDTH}} | {line}")

    def _spawn(self) -> subprocess.Popen[bytes]:
        process = self.process
        output: int | IO[bytes] = subprocess.PIPE
        if process.log is not None:
            process.log.touch(mode=0o600)
            output = process.log.open("ab")
        try:
            return subprocess.Popen(
                [*process.account.prefix, *process.command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                bufsize=0,
                cwd=process.folder,
                env=process.environment,
                start_new_session=True,
                preexec_fn=die_with_parent(process.stop_signal),
                **process.account.popen_arguments(),
            )
        except OSError as problem:
            raise CannotRun(f"{process.name} cannot be started: {problem}.") from None
        finally:
            if not isinstance(output, int):
                output.close()


def die_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    """
    Return what a new process calls so that the kernel sends it a signal when the launcher dies.

    Only Linux has it. The launcher has one thread, for the signal comes when the thread ends
    that started the process.
    """
    if sys.platform != "linux":
        return None
    parent = os.getpid()
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def in_child() -> None:
        prctl(PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)

    return in_child


def exit_reason(status: int) -> str:
    """Return in words how a process ended."""
    if status >= 0:
        return f"exit status {status}"
    return f"ended by {signal.Signals(-status).name}"


def _tail(log: Path) -> list[str]:
    with log.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - TAIL))
        return file.read().decode("utf-8", "replace").splitlines()
