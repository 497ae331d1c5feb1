"""How the changes feed of a season is followed, as a service that pays by it would."""

from collections.abc import Callable
from threading import Lock
from urllib.parse import urlencode

from leaderboard.management.simulation.connection import (
    CannotRun,
    Connection,
    Json,
    Reply,
    Unreachable,
)
from leaderboard.management.simulation.feed import Page
from leaderboard.management.simulation.tally import Tally

PAGE = 1000
RETIRED = "season_retired"
AWAY = {429, 500, 502, 503, 504}

Deliver = Callable[[Page], None]


class Follower:
    """
    Reads the feed of one season from its beginning to its end, and then what is new.

    If its beginning is `purged` it goes on from where the server says that it ends now, or
    there is nothing to read. Threads may step at any time.
    """

    def __init__(self, connection: Connection, season_id: str, tally: Tally) -> None:
        """Follow the feed of this season."""
        self._connection, self._tally = connection, tally
        self._path = f"/internal/v1/seasons/{season_id}/changes"
        self._cursor: str | None = None
        self._lock = Lock()
        self.purged = False

    def catch_up(self, progress: Callable[[int], None]) -> None:
        """Pass over everything that is in the feed already."""
        passed = 0
        while (count := self.step(lambda _: None)) == PAGE:
            passed += count
            progress(passed)

    def step(self, deliver: Deliver) -> int:
        """Read one page, hand it on, and return how many changes it had."""
        with self._lock:
            reply = None if self.purged else self._ask()
            return 0 if reply is None else self._take(reply, deliver)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _take(self, reply: Reply, deliver: Deliver) -> int:
        if reply.status == 410 and reply.body.get("code") == RETIRED:
            return 0
        if reply.status == 410 and self._cursor is None:
            self._cursor = reply.body.get("relocated_cursor")
            self.purged = self._cursor is None
            return 0
        if reply.status != 200:
            raise CannotRun(f"The changes feed cannot be read: {reply.in_words()}")
        self._tally.took("read: changes", reply.seconds)
        self._cursor = reply.body["next"]
        changes: list[Json] = reply.body["changes"]
        deliver(Page(changes, reply.sent, reply.arrived, whole=len(changes) < PAGE))
        return len(changes)

    def _ask(self) -> Reply | None:
        query = {"limit": PAGE} | ({"after": self._cursor} if self._cursor else {})
        try:
            reply = self._connection.ask("GET", f"{self._path}?{urlencode(query)}")
        except Unreachable:
            self._tally.count("connections lost")
            return None
        return None if reply.status in AWAY else reply
