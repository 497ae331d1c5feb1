"""One thread that follows the changes feed, as a service that pays by it would."""

from collections.abc import Callable
from threading import Event
from urllib.parse import urlencode

from leaderboard.management.simulation.connection import (
    CannotRun,
    Connection,
    Json,
    Reply,
    Unreachable,
)
from leaderboard.management.simulation.tally import Tally

PAGE = 1000
PAUSE = 0.5
AWAY = {429, 500, 502, 503, 504}

Deliver = Callable[[float, list[Json]], None]


class Follower:
    """
    Reads the feed from its beginning to its end, and from then on what is new.

    If its beginning is `purged` there is nothing to read: no cursor leads to its end.
    """

    def __init__(self, connection: Connection, season_id: str, tally: Tally) -> None:
        """Follow the feed of this season."""
        self._connection, self._tally = connection, tally
        self._path = f"/internal/v1/seasons/{season_id}/changes"
        self._cursor: str | None = None
        self.purged = False

    def run(self, stop: Event, deliver: Deliver) -> None:
        """Follow until told to stop, and hand each page on."""
        while not stop.is_set():
            if self.step(deliver) < PAGE:
                stop.wait(PAUSE)

    def catch_up(self, progress: Callable[[int], None]) -> None:
        """Pass over everything that is in the feed already."""
        passed = 0
        while (count := self.step(lambda _, __: None)) == PAGE:
            passed += count
            progress(passed)

    def step(self, deliver: Deliver) -> int:
        """Read one page, and return how many changes it had."""
        reply = None if self.purged else self._ask()
        if reply is None:
            return 0
        if reply.status == 410 and self._cursor is None:
            self.purged = True
            return 0
        if reply.status != 200:
            raise CannotRun(f"The changes feed cannot be read: {reply.in_words()}")
        self._tally.took("read: changes", reply.seconds)
        self._cursor = reply.body["next"]
        changes: list[Json] = reply.body["changes"]
        if changes:
            deliver(reply.arrived, changes)
        return len(changes)

    def _ask(self) -> Reply | None:
        query = {"limit": PAGE} | ({"after": self._cursor} if self._cursor else {})
        try:
            reply = self._connection.ask("GET", f"{self._path}?{urlencode(query)}")
        except Unreachable:
            self._tally.count("connections lost")
            return None
        return None if reply.status in AWAY else reply
