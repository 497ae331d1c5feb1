"""What all threads share: the model, what was written when, and who waits for a reply."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from threading import Lock

from leaderboard.management.simulation.feed import Due, Feed
from leaderboard.management.simulation.model import Change, Model
from leaderboard.management.simulation.sightings import NEVER, Sightings
from leaderboard.management.simulation.timelines import Moment, Timelines

RECENT = 5
RETENTION = 120.0


@dataclass(frozen=True, slots=True)
class Written:
    """What one request did to one player: the changes of the shown score, and what is stored."""

    player_id: str
    before: int | None
    score: int | None
    score_version: int | None
    changes: tuple[Due, ...]


class Book:
    """The shared record. Every method takes the lock for itself unless its name says otherwise."""

    def __init__(
        self, version: int, scores: Iterable[tuple[str, int]], own: str, now: float
    ) -> None:
        """Begin with the board as read at `version`; ids of events begin with `own`."""
        self.lock = Lock()
        self.model = Model(version, scores)
        self.timelines = Timelines()
        self.feed = Feed(version, own)
        self.sightings = Sightings(version, now)
        self.last_visible = version
        self._recent: deque[tuple[str, int]] = deque(maxlen=RECENT)
        self._writing: dict[int, float] = {}
        self._reading: dict[int, tuple[float, int]] = {}

    def begin_write(self, writer: int, now: float) -> int:
        """Note that a writer sends, and return the newest version seen before."""
        with self.lock:
            self._writing[writer] = now
            return self.sightings.newest

    def end_write(self, writer: int, answered: float, written: Iterable[Written]) -> None:
        """Note what a request did; until then no reply that may show it is judged."""
        with self.lock:
            sent = self._writing.pop(writer)
            for one in written:
                self._record(one, sent, answered)

    def begin_read(self, reader: int, now: float, floor: int | None = None) -> int:
        """
        Note that a reader asks, and return the newest version seen before.

        Until `end_read` the model will not pass the version below which no reply can be.
        """
        with self.lock:
            self._reading[reader] = (now, -1 if floor is None else floor)
            return self.sightings.newest

    def begin_pinned_read(self, reader: int, now: float, random: Random) -> int:
        """Note that a reader asks for some version that the model has not passed; return it."""
        with self.lock:
            pinned = random.choice(self.sightings.since(self.model.version)[-8:])
            self._reading[reader] = (now, pinned)
            return pinned

    def end_read(self, reader: int) -> None:
        """Note that a reader has its reply."""
        with self.lock:
            self._reading.pop(reader, None)

    def saw(self, version: int, sent: float, arrived: float) -> None:
        """Note a reply that showed this version as the current one."""
        with self.lock:
            self.sightings.saw(version, sent, arrived)

    def readable_until(self, version: int) -> float:
        """Return until when a version must stay readable, as far as is known."""
        with self.lock:
            return self.sightings.last_current(version) + RETENTION

    def recent_change(self, random: Random) -> tuple[str, int] | None:
        """Return a player whom an accepted event changed lately, and in which version it shows."""
        with self.lock:
            return random.choice(self._recent) if self._recent else None

    def oldest_write(self) -> float:
        """Return when the oldest write without an answer was sent. Call it with the lock held."""
        return min(self._writing.values(), default=NEVER)

    def may_advance(self, version: int, now: float) -> bool:
        """
        Return whether nothing under way can still concern an older version. Lock held.

        Everything that a version includes was sent before the version was seen.
        """
        if version <= self.model.version:
            return True
        seen = self.sightings.first_seen(version)
        reads = self._reading.values()
        return (
            seen <= now
            and self.oldest_write() > seen
            and all(sent > seen if floor < 0 else floor >= version for sent, floor in reads)
        )

    def _record(self, one: Written, sent: float, answered: float) -> None:
        for due in one.changes:
            self.model.record(Change(due.visible, due.player_id, due.old, due.new, due.event_id))
            self.feed.expect(due)
            self.sightings.wait_for(due.visible, sent)
            self.last_visible = max(self.last_visible, due.visible)
            self._recent.append((due.player_id, due.visible))
        changed_at = self.timelines.changed_at(one.player_id)
        if one.changes:
            changed_at = one.changes[-1].visible
        moment = Moment(sent, answered, one.score, one.score_version, changed_at)
        self.timelines.record(one.player_id, one.before, moment)
