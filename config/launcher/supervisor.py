"""Starts processes in order, keeps them running, and stops them in the opposite order."""

import selectors
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType

from config.launcher.console import say
from config.launcher.errors import CannotRun, StopRequested
from config.launcher.process import Child, Process, exit_reason
from config.launcher.restarts import LIMIT, Restarts

TICK = 0.05
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STILL_STARTING = 10.0


class DiedAtStart(CannotRun):
    """A process ended before it was ready."""

    def __init__(self, child: Child, status: int) -> None:
        """Say how it ended, and keep its last words."""
        self.last_words = child.last_words()
        super().__init__(
            f"{child.process.name} did not start ({exit_reason(status)}): {self.last_words}"
        )


@dataclass
class _Kept:
    """A process that is to be running, its present copy, and when the next one may start."""

    child: Child
    restarts: Restarts = field(default_factory=Restarts)
    restart_at: float | None = None


class Supervisor:
    """The processes of one launcher."""

    def __init__(self) -> None:
        """Begin without any."""
        self.signals: list[signal.Signals] = []
        self._kept: list[_Kept] = []
        self._selector = selectors.DefaultSelector()

    @contextmanager
    def listening_to_signals(self) -> Iterator[None]:
        """Take note of signals to stop, instead of dying from them."""
        # Under nohup a closed terminal is to be ignored, and stays so.
        ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        numbers = [number for number in STOP_SIGNALS if not (ignored and number == signal.SIGHUP)]
        before = {number: signal.signal(number, self._note) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def start(self, process: Process) -> None:
        """
        Start a process, wait until it is ready, and keep it running from then on.

        Raises DiedAtStart, CannotRun after `seconds_to_start`, or StopRequested.
        """
        child = self._launch(process)
        kept = _Kept(child)
        self._kept.append(kept)
        deadline = time.monotonic() + process.seconds_to_start
        remind_at = time.monotonic() + STILL_STARTING
        while not child.ready():
            self._pass_output_on()
            if (status := child.status()) is not None:
                self._kept.remove(kept)
                self._forget(child)
                raise DiedAtStart(child, status)
            self._refuse_if_stopping()
            now = time.monotonic()
            if now > deadline:
                raise CannotRun(
                    f"{process.name} was not ready in {process.seconds_to_start:.0f} s."
                )
            if now > remind_at:
                say(f"Still starting {process.name} ...")
                remind_at = now + STILL_STARTING

    def run(self, process: Process) -> int:
        """Run a process to its end while the others are kept running; return its exit status."""
        child = self._launch(process)
        try:
            while (status := child.status()) is None:
                self.step()
                self._refuse_if_stopping()
        finally:
            self._stop_one(child)
        return status

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Keep the processes running until the condition holds; False if it does not in time."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                return False
            self.step()
            self._refuse_if_stopping()
        return True

    def watch(self) -> None:
        """Keep the processes running until a signal asks to stop."""
        while not self.signals:
            self.step()

    def step(self) -> None:
        """Pass output on, and start again what has ended; raises CannotRun if one keeps ending."""
        self._pass_output_on()
        for kept in self._kept:
            self._look_after(kept)

    def pids(self) -> set[int]:
        """Return the ids of the processes that are kept running."""
        return {kept.child.pid for kept in self._kept}

    def stop(self) -> None:
        """Stop everything, the last one started first, each with its own patience."""
        for kept in reversed(self._kept):
            self._stop_one(kept.child)
        self._kept.clear()

    def _launch(self, process: Process) -> Child:
        child = Child(process)
        if child.output is not None:
            self._selector.register(child.output, selectors.EVENT_READ, child)
        return child

    def _pass_output_on(self) -> None:
        for key, _events in self._selector.select(TICK):
            if not key.data.pass_output_on():
                self._selector.unregister(key.fileobj)

    def _look_after(self, kept: _Kept) -> None:
        if kept.restart_at is None:
            status = kept.child.status()
            if status is not None:
                self._plan_restart(kept, status)
        elif time.monotonic() >= kept.restart_at:
            kept.restart_at = None
            kept.child = self._launch(kept.child.process)

    def _plan_restart(self, kept: _Kept, status: int) -> None:
        name = kept.child.process.name
        self._forget(kept.child)
        now = time.monotonic()
        pause = kept.restarts.pause_after_death(now)
        if pause is None:
            raise CannotRun(
                f"{name} ended {LIMIT} times within a minute, the last time with "
                f"{exit_reason(status)}: {kept.child.last_words()}"
            )
        say(f"{name} ended ({exit_reason(status)}); it is started again in {pause} s.")
        kept.restart_at = now + pause

    def _stop_one(self, child: Child) -> None:
        child.ask_to_stop()
        deadline = time.monotonic() + child.process.seconds_to_stop
        while child.status() is None:
            self._pass_output_on()
            if time.monotonic() > deadline:
                say(f"{child.process.name} does not stop and is killed.")
                break
        self._forget(child)

    def _forget(self, child: Child) -> None:
        child.kill()
        if child.output is not None:
            with suppress(KeyError):
                self._selector.unregister(child.output)
        child.close_output()

    def _refuse_if_stopping(self) -> None:
        if self.signals:
            raise StopRequested

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self.signals.append(signal.Signals(number))
