"""
What was asked for lately: a few questions, kept where tasks are kept, and lost without harm.

A request only appends to a list of its process. Now and then a thread of a moment takes that to
the broker, so that no reply waits for it; if the broker is away, the questions are forgotten.
"""

import threading
import time
from collections import deque
from contextlib import closing

from django.conf import settings
from redis import Redis, RedisError

KEPT = 5_000
KEPT_SECONDS = 7 * 24 * 3600
# Of a busy process the first of each interval: some ten a second.
MOST_WAITING = 50
INTERVAL_SECONDS = 5.0
PATIENCE_SECONDS = 0.5


class Lately:
    """A kind of questions; each is a text, and belongs to a subject, which is a number."""

    def __init__(self, name: str) -> None:
        """Take what the kind is called in the broker."""
        self._name = name
        self._waiting: deque[tuple[int, str]] = deque(maxlen=MOST_WAITING)
        self._taken_at = time.monotonic() - INTERVAL_SECONDS

    def note(self, subject: int, text: str) -> None:
        """Remember a question if there is room for it; never waits, never fails."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append((subject, text))
        now = time.monotonic()
        if now - self._taken_at >= INTERVAL_SECONDS:
            self._taken_at = now
            threading.Thread(target=self._take_to_broker, daemon=True).start()

    def asked(self, subject: int) -> list[str]:
        """Return the questions of a subject, newest first; none if the broker is away."""
        try:
            with closing(_broker()) as broker:
                stored = broker.lrange(self._key(subject), 0, -1)
        except (RedisError, OSError):
            return []
        return [str(text) for text in stored]

    def _take_to_broker(self) -> None:
        try:
            with closing(_broker()) as broker, broker.pipeline(transaction=False) as pipeline:
                while self._waiting:
                    subject, text = self._waiting.popleft()
                    key = self._key(subject)
                    pipeline.lpush(key, text)
                    pipeline.ltrim(key, 0, KEPT - 1)
                    pipeline.expire(key, KEPT_SECONDS)
                pipeline.execute()
        except (RedisError, OSError):
            self._waiting.clear()

    def _key(self, subject: int) -> str:
        return f"laurel:{self._name}:{subject}"


def _broker() -> Redis:
    patience = PATIENCE_SECONDS
    return Redis.from_url(
        settings.CELERY_BROKER_URL,
        socket_timeout=patience,
        socket_connect_timeout=patience,
        decode_responses=True,
    )


PLAYERS = Lately("players")
