"""
What this process knows of each season, so that not every read asks for it again.

Knowledge is never older than a read may be served with; while one reader renews it, the
others of the season wait for that instead of asking too.
"""

import threading
import time
from typing import NamedTuple

from django.conf import settings

from config.errors import Unavailable
from config.http.gates import Gate
from leaderboard.queries.published import Published, published

_MOST_KNOWN = 10_000
_LOCKS = 64
_PATIENCE_SECONDS = 3.0
_POLL_SECONDS = 0.05


class Known(NamedTuple):
    """A season, and when the question was asked that this answered (monotonic)."""

    asked_at: float
    season: Published


class KnownSeasons:
    """The seasons that were read about lately."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[str, Known] = {}
        self._locks = [threading.Lock() for _ in range(_LOCKS)]

    def season(self, slug: str) -> Published:
        """Return a season as it was at most CURRENT_VERSION_SECONDS ago; else SeasonNotFound."""
        return self._asked_after(slug, time.monotonic() - settings.CURRENT_VERSION_SECONDS)

    def renewed(self, slug: str) -> Published:
        """Return a season as it is now."""
        return self._asked_after(slug, time.monotonic())

    def forget(self) -> None:
        """Forget everything: another database has other seasons."""
        self._known.clear()

    def _asked_after(self, slug: str, moment: float) -> Published:
        known = self._known.get(slug)
        if known is not None and known.asked_at >= moment:
            return known.season
        lock = self._locks[hash(slug) % _LOCKS]
        if not lock.acquire(timeout=_PATIENCE_SECONDS):
            raise Unavailable
        try:
            known = self._known.get(slug)
            return known.season if known and known.asked_at >= moment else self._ask(slug)
        finally:
            lock.release()

    def _ask(self, slug: str) -> Published:
        self._known.pop(slug, None)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        known = Known(time.monotonic(), published(slug))
        self._known[slug] = known
        return known.season


KNOWN = KnownSeasons()
READS = Gate(settings.READS_IN_FLIGHT, line=settings.READS_IN_LINE, patience=settings.LINE_SECONDS)
# Bodies that anybody may send, however slowly: they never stand in the way of other reads.
BODIES = Gate(settings.PUBLIC_BODIES)
WAITING = Gate(settings.WAITING_REPLIES)


def season_at(slug: str, version: int, seconds: float) -> Published:
    """
    Return the season once a version is published, or as it is after some seconds.

    While it waits it holds no connection: a read takes one for its statement only. When too many
    wait, it does not wait.
    """
    deadline = time.monotonic() + seconds
    season = KNOWN.season(slug)
    with WAITING.entered_if_free() as free:
        while free and (season.number or 0) < version and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            season = KNOWN.season(slug)
    return season
