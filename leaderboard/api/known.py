"""
What this process knows of each season, so that not every read asks for it again.

Knowledge is never older than a read may be served with. A thread of the process renews what is
read about before it is too old. Where that comes too late a reader renews it, and the others of
the season wait for that instead of asking too.
"""

import logging
import threading
import time
from typing import NamedTuple

from django.conf import settings

from config.errors import Unavailable
from config.http.gates import Gate
from config.problems import DATABASE_AWAY
from leaderboard.queries.published import Published, published, published_of

log = logging.getLogger(__name__)

_MOST_KNOWN = 10_000
_LOCKS = 64
_PATIENCE_SECONDS = 3.0
_POLL_SECONDS = 0.05
# Of the time that knowledge may be used for; and for how long nobody reads until it ends.
_RENEWED_AFTER = 0.5
_SILENCE_SECONDS = 5.0


class Known(NamedTuple):
    """A season, and when the question was asked that this answered (monotonic)."""

    asked_at: float
    season: Published


class KnownSeasons:
    """The seasons that were read about lately."""

    def __init__(self, *, renewed: bool = False) -> None:
        """Know nothing yet; `renewed` has a thread renew what is read about."""
        self._renewed = renewed
        self._known: dict[str, Known] = {}
        self._read: set[str] = set()
        self._renewing = threading.Lock()
        self._locks = [threading.Lock() for _ in range(_LOCKS)]

    def season(self, slug: str) -> Published:
        """Return a season as it was at most CURRENT_VERSION_SECONDS ago; else SeasonNotFound."""
        if self._renewed and settings.CURRENT_VERSION_SECONDS:
            self._read.add(slug)
            if not self._renewing.locked():
                self._begin_renewing()
        return self._asked_after(slug, time.monotonic() - settings.CURRENT_VERSION_SECONDS)

    def renewed(self, slug: str) -> Published:
        """Return a season as it is now."""
        return self._asked_after(slug, time.monotonic())

    def forget(self) -> None:
        """Forget everything: another database has other seasons."""
        self._known.clear()

    def renew(self) -> bool:
        """Ask once about all seasons that were read about since; return whether any was."""
        read, self._read = self._read, set()
        slugs = [slug for slug in read if slug in self._known]
        if slugs:
            asked_at = time.monotonic()
            for season in published_of(slugs):
                self._learn(Known(asked_at, season))
        return bool(read)

    def _begin_renewing(self) -> None:
        if self._renewing.acquire(blocking=False):
            threading.Thread(target=self._keep_renewing, daemon=True).start()

    def _keep_renewing(self) -> None:
        """Renew while anybody reads; the next reader after a silence begins anew."""
        try:
            last_read = time.monotonic()
            while time.monotonic() < last_read + _SILENCE_SECONDS:
                time.sleep(settings.CURRENT_VERSION_SECONDS * _RENEWED_AFTER)
                if self.renew():
                    last_read = time.monotonic()
        except DATABASE_AWAY:
            log.warning("What is known of seasons is not renewed: the database does not answer.")
        finally:
            self._renewing.release()

    def _learn(self, known: Known) -> None:
        """Take what a season is now, unless something newer is known, or it is retired."""
        before = self._known.get(known.season.slug)
        newer = before is not None and before.asked_at < known.asked_at
        if newer and known.season.retired_at is None:
            self._known[known.season.slug] = known

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


KNOWN = KnownSeasons(renewed=True)
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
