"""What all threads share of a season: the model, what was written when, and who waits."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from threading import Lock

from leaderboard.management.simulation.feed import Due, Feed, Page, due_of
from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.model import Change, Model
from leaderboard.management.simulation.moves import SETTLED, Move
from leaderboard.management.simulation.sightings import NEVER, Sightings
from leaderboard.management.simulation.timelines import Moment, Timelines

Board = list[tuple[str, int]]
RECENT = 5
RETENTION = 120.0


@dataclass(frozen=True, slots=True)
class Written:
    """
    What one request did to one player: the changes of the shown score, and what is stored.

    `region` is the board that the player plays for. Of a move of somebody who is not shown
    only that is known.
    """

    player_id: str
    before: int | None
    score: int | None
    score_version: int | None
    changes: tuple[Due, ...] = ()
    region: str | None = None
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Boards:
    """A season as it was read at one version: everybody, and who is on the board of a region."""

    version: int
    everybody: Board
    regions: Mapping[str, Board]


class Book:
    """The shared record. Every method takes the lock for itself unless its name says otherwise."""

    def __init__(self, boards: Boards, own: str, now: float) -> None:
        """Begin with the boards as read at a version; ids of events begin with `own`."""
        version = boards.version
        self.lock = Lock()
        self.model = Model(version, boards.everybody, boards.regions)
        self.timelines = Timelines()
        self.feed = Feed(version, own)
        self.sightings = Sightings(version, now)
        self.last_visible = version
        self._regional = bool(boards.regions)
        self._feed_read_at = -NEVER
        self._closed = False
        self._recent: deque[tuple[str, int]] = deque(maxlen=RECENT)
        self._writing: dict[int, float] = {}
        self._reading: dict[int, tuple[float, int]] = {}

    def begin_write(self, writer: int, now: float) -> int | None:
        """Note that a writer sends, and return the newest version seen before; None: no more."""
        with self.lock:
            if self._closed:
                return None
            self._writing[writer] = now
            return self.sightings.newest

    def end_write(self, writer: int, answered: float, written: Iterable[Written] = ()) -> None:
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

    def close(self) -> None:
        """Let nobody begin to write any more."""
        with self.lock:
            self._closed = True

    def is_quiet(self) -> bool:
        """Return whether nobody waits for a reply."""
        with self.lock:
            return not self._writing and not self._reading

    def saw(self, version: int, sent: float, arrived: float, age: float | None = None) -> None:
        """Note a reply that showed this version as the current one, at this age."""
        with self.lock:
            self.sightings.saw(version, sent, arrived, age)

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

        Everything that a version includes was sent before the version was seen, and the moves
        among it stand in the feed.
        """
        if version <= self.model.version:
            return True
        seen = self.sightings.first_seen(version)
        reads = self._reading.values()
        return (
            seen <= now
            and self.oldest_write() > seen
            and all(sent > seen if floor < 0 else floor >= version for sent, floor in reads)
            and (not self._regional or self._feed_read_at > seen + SETTLED)
        )

    def read_feed(self, page: Page) -> list[Finding]:
        """Take a page of the feed, and return what is wrong with it. Lock held."""
        found = [*self.feed.read(page.changes, self.sightings)]
        if page.whole:
            self._feed_read_at = max(self._feed_read_at, page.asked)
            found += self.feed.overdue(page.asked)
        for move in self.feed.settled_moves():
            self._settle(move)
        return found

    def moves_due(self) -> Iterator[Move]:
        """Return the moves that the feed has not given yet. Lock held."""
        return (move for move in self.feed.moves() if not move.open_ended)

    def _settle(self, move: Move) -> None:
        if move.visible is None:
            self.model.withdraw(move.number)
        else:
            self.model.place(move.number, move.visible)
            self.sightings.wait_for(move.visible, move.answered)

    def _record(self, one: Written, sent: float, answered: float) -> None:
        for due in one.changes:
            regions = (due.region, due.region)
            change = Change(due.visible, due.player_id, due.old, due.new, due.event_id, *regions)
            self.model.record(change)
            self.feed.expect(due)
            self.sightings.wait_for(due.visible, sent)
            self.last_visible = max(self.last_visible, due.visible)
            self._recent.append((due.player_id, due.visible))
        if one.move is not None:
            self._announce(one.move)
        self._note(one, sent, answered)

    def _announce(self, move: Move) -> None:
        regions = (move.old_region, move.region)
        scores = (move.score, move.score)
        change = Change(0, move.player_id, *scores, move.in_words(), *regions)
        move.number = self.model.announce(change)
        self.feed.expect(due_of(move))
        if not move.open_ended:
            self.sightings.promises.wait_for(move)

    def _note(self, one: Written, sent: float, answered: float) -> None:
        """Note what is stored; of somebody who is not shown a move changes no more than that."""
        before, move = self.timelines.newest(one.player_id), one.move
        changed_at = 0 if before is None else before.changed_at
        if one.changes:
            changed_at = one.changes[-1].visible
        elif move is None and before is not None:
            move = before.move
        # Whether it had effect is not known: what was before may be current as well.
        done = NEVER if move is not None and move.open_ended else answered
        state = (one.score, one.score_version, changed_at, one.region, move)
        self.timelines.record(one.player_id, one.before, Moment(sent, done, *state))
