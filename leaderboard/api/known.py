"""
What this process knows of each season, so that not every read asks for it again.

Knowledge is never older than a read may be served with; while one reader renews it, the
others of the season wait for that instead of asking too.
"""

import threading
import time

from django.conf import settings

from config import db
from config.errors import Unavailable
from config.http.gates import Gate
from leaderboard.queries.published import Published, published

_MOST_KNOWN = 10_000
_LOCKS = 64
_PATIENCE_SECONDS = 3.0
_POLL_SECONDS = 0.05


class KnownSeasons:
    """The seasons that were read about lately."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[str, Published] = {}
        self._locks = [threading.Lock() for _ in range(_LOCKS)]

    def season(self, slug: str) -> Published:
        """Return a season as it was at most CURRENT_VERSION_SECONDS ago; else SeasonNotFound."""
        return self._read_after(slug, time.monotonic() - settings.CURRENT_VERSION_SECONDS)

    def renewed(self, slug: str) -> Published:
        """Return a season as it is now."""
        return self._read_after(slug, time.monotonic())

    def _read_after(self, slug: str, moment: float) -> Published:
        known = self._known.get(slug)
        if known is not None and known.read_monotonic >= moment:
            return known
        lock = self._locks[hash(slug) % _LOCKS]
        if not lock.acquire(timeout=_PATIENCE_SECONDS):
            raise Unavailable
        try:
            known = self._known.get(slug)
            return known if known and known.read_monotonic >= moment else self._read(slug)
        finally:
            lock.release()

    def _read(self, slug: str) -> Published:
        self._known.pop(slug, None)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[slug] = season = published(slug)
        return season


KNOWN = KnownSeasons()
READS = Gate(settings.READS_IN_FLIGHT)
WAITING = Gate(settings.WAITING_REPLIES)


def season_at(slug: str, version: int, seconds: float) -> Published:
    """
    Return the season once a version is published, or as it is after some seconds.

    While it waits it holds no connection. When too many wait, it does not wait.
    """
    deadline = time.monotonic() + seconds
    season = KNOWN.season(slug)
    with WAITING.entered_if_free() as free:
        while free and (season.number or 0) < version and time.monotonic() < deadline:
            db.release("reads")
            time.sleep(_POLL_SECONDS)
            season = KNOWN.season(slug)
    return season
