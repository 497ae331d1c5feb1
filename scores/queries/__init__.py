"""Questions about what was achieved."""

from scores.queries.known_events import KnownEvent, known_events
from scores.queries.stored_bests import StoredBest, stored_bests

__all__ = ["KnownEvent", "StoredBest", "known_events", "stored_bests"]
