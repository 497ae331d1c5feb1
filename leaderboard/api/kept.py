"""
Replies that are the same for everybody: made once a version, and kept as bytes.

A pinned version is always read, so that it expires here when it does everywhere; and all are
while publication is stopped: bests or buckets may be lost.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from config.http.joined import Ending, ending
from config.http.replies import encode
from leaderboard.api.asked import Sight
from leaderboard.queries.window import Header

MOST_BYTES = 16 * 1024 * 1024
_LOCKS = 64


class Kept(NamedTuple):
    """The version that a reply is of, and what stands in it after the head of every reply."""

    header: Header
    end: Ending


def kept(header: Header, **members: object) -> Kept:
    """Return a reply with these members after its head."""
    return Kept(header, ending(encode(members)))


class KeptReplies:
    """The replies that were asked for lately, as many as there is room for."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Keep nothing yet."""
        self._most_bytes = most_bytes
        self._bytes = 0
        self._found: OrderedDict[Hashable, Kept] = OrderedDict()
        self._lock = threading.Lock()
        self._makers = [threading.Lock() for _ in range(_LOCKS)]

    def of(
        self, sight: Sight, make: Callable[[Sight], Kept | None], *question: Hashable
    ) -> Kept | None:
        """Return the reply to a question about a board; one reader makes it for all."""
        if sight.pinned or sight.season.failed_check is not None:
            return make(sight)
        key = (sight.season.namespace, sight.version, sight.board, *question)
        found = self._looked_up(key)
        if found is None:
            with self._makers[hash(key) % _LOCKS]:
                found = self._looked_up(key) or self._made(key, make(sight))
        return found

    def forget(self) -> None:
        """Forget everything: another database has other boards."""
        with self._lock:
            self._found.clear()
            self._bytes = 0

    def _looked_up(self, key: Hashable) -> Kept | None:
        with self._lock:
            found = self._found.get(key)
            if found is not None:
                self._found.move_to_end(key)
            return found

    def _made(self, key: Hashable, made: Kept | None) -> Kept | None:
        if made is not None:
            with self._lock:
                self._found[key] = made
                self._bytes += made.end.size
                while self._bytes > self._most_bytes:
                    self._bytes -= self._found.popitem(last=False)[1].end.size
        return made


KEPT = KeptReplies()
