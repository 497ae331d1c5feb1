"""Threads that work until they are told to stop, and what ended them early."""

from collections.abc import Callable
from threading import Event, Thread

from leaderboard.management.simulation.connection import CannotRun
from leaderboard.management.simulation.delivery import NothingMoreToWrite
from leaderboard.management.simulation.findings import Findings

Work = Callable[[Event], None]


class Crew:
    """A few threads with one stop sign; `ended` is set when one of them cannot go on."""

    def __init__(self, findings: Findings, ended: Event) -> None:
        """Begin without threads."""
        self._findings, self._ended = findings, ended
        self._stop = Event()
        self._threads: list[Thread] = []
        self.reasons: list[str] = []

    def start(self, work: Work) -> None:
        """Start a thread that does this work."""
        thread = Thread(target=self._guarded, args=(work,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def stop(self) -> None:
        """Tell all to stop, and wait until they have."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _guarded(self, work: Work) -> None:
        try:
            work(self._stop)
        except (NothingMoreToWrite, CannotRun) as reason:
            self.reasons.append(str(reason))
            self._ended.set()
        except Exception as failure:
            self._findings.add("crash", repr(failure))
            self._ended.set()
