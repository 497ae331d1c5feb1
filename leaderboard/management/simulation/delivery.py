"""Sends a write until it has an answer, with the same event ids each time."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from time import monotonic

from leaderboard.management.simulation.connection import Connection, Json, Reply, Unreachable
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.tally import Tally

AGAIN = {429, 500, 502, 503, 504}
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
PATIENCE = 90.0


class NothingMoreToWrite(Exception):
    """The server takes no more events, for the reason given."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What is sent, and where."""

    path: str
    body: Json
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a write, and whether an attempt before it may have had effect."""

    reply: Reply
    retried: bool


class Delivery:
    """The way of one writer to the server: two connections, and patience."""

    def __init__(
        self,
        connect: Callable[[], Connection],
        findings: Findings,
        tally: Tally,
        given_up: Event,
    ) -> None:
        """Send by connections made by `connect`, until `given_up` is set."""
        self._connections = [connect(), connect()]
        self._findings, self._tally, self._given_up = findings, tally, given_up

    def deliver(self, letter: Letter, *, twice: bool = False) -> list[Answer] | None:
        """Return the answers to a write; two if it is sent twice at once, None if none came."""
        connections = self._connections if twice else self._connections[:1]
        for connection in connections:
            self._start(connection, letter)
        answers = [self._finish(connection, letter) for connection in connections]
        found = [answer for answer in answers if answer is not None]
        return found if len(found) == len(answers) else None

    def close(self) -> None:
        """Close both connections."""
        for connection in self._connections:
            connection.close()

    def _start(self, connection: Connection, letter: Letter) -> None:
        with suppress(Unreachable):  # Receiving then fails too, and is counted.
            connection.send(letter.method, letter.path, letter.body)

    def _finish(self, connection: Connection, letter: Letter) -> Answer | None:
        reply, retried = self._receive(connection), False
        deadline, pause = monotonic() + PATIENCE, FIRST_PAUSE
        while reply is None or reply.status in AGAIN:
            if monotonic() > deadline or self._given_up.is_set():
                return None
            self._given_up.wait(_pause_after(reply, pause))
            pause = min(2 * pause, LONGEST_PAUSE)
            retried = True
            self._tally.count("write retries")
            self._start(connection, letter)
            reply = self._receive(connection)
        return Answer(reply, retried)

    def _receive(self, connection: Connection) -> Reply | None:
        try:
            reply = connection.receive()
        except Unreachable:
            self._tally.count("connections lost")
            return None
        if reply.status == 500:
            self._findings.add("status", f"a write was answered {reply.in_words()}")
        elif reply.status in AGAIN:
            self._tally.count(f"writes answered {reply.status}")
        return reply


def _pause_after(reply: Reply | None, pause: float) -> float:
    """Return how long to wait: what the server says, else the growing pause."""
    said = reply and reply.headers.get("Retry-After")
    return max(pause, min(float(said), LONGEST_PAUSE)) if said and said.isdigit() else pause
