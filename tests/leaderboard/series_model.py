"""A series in plain Python: which seasons there are, and where each result goes."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from config.errors import SeasonFinal, SeasonRetired
from scores.rules import Event, Receipt
from seasons.models import Series
from tests.oracle import Oracle
from tests.play import Play

DAY = timedelta(days=1)

Told = tuple[str, dict[str, Receipt]]


class Span(NamedTuple):
    """A window, by which rule it is made, and from when to when it lasts."""

    suffix: str
    starts_at: datetime
    ends_at: datetime


class Windowed:
    """The season of a window, beside its oracle."""

    def __init__(self, suffix: str, play: Play) -> None:
        self.suffix, self.play, self.slug = suffix, play, play.slug
        self.starts_at, self.cutoff_at = play.season.starts_at, play.season.cutoff_at
        self.grace = timedelta(seconds=play.season.grace_seconds)
        self.retired = self.was_final = False
        self.follow()

    @property
    def oracle(self) -> Oracle:
        return self.play.oracle

    @property
    def state(self) -> str:
        """Return what the season is by the clock, unless something else is on record."""
        now = datetime.now(UTC)
        if self.retired:
            return "retired"
        if self.oracle.final:
            return "final"
        if now < self.starts_at:
            return "scheduled"
        return "open" if now < self.cutoff_at else "closing"

    @property
    def takes_results(self) -> bool:
        return self.state in {"open", "closing"}

    @property
    def is_over(self) -> bool:
        """Return whether the grace time has passed."""
        return datetime.now(UTC) >= self.cutoff_at + self.grace

    def retire(self) -> None:
        """Let it be gone: nobody moves its players any more."""
        self.was_final, self.retired, self.oracle.final = self.oracle.final, True, True

    def contains(self, at: datetime) -> bool:
        """Return whether a result that was completed then belongs to it."""
        return self.starts_at <= at < self.cutoff_at and not self.retired

    def shift(self, back: timedelta) -> None:
        """Let it lie earlier: the clock goes on by as much."""
        self.starts_at -= back
        self.cutoff_at -= back
        self.follow()

    def follow(self) -> None:
        """Let the oracle know how late it is."""
        self.oracle.starts_at, self.oracle.cutoff_at = self.starts_at, self.cutoff_at
        self.oracle.grace_is_over = self.is_over


class SeriesModel:
    """A series of windows, all of which begin at a midnight, and one for all time."""

    def __init__(self, series: Series, midnight: datetime, lasting: dict[str, timedelta]) -> None:
        self.grace = timedelta(seconds=series.grace_seconds)
        self.late_policy = series.late_policy
        self.kept = None if series.kept_days is None else timedelta(days=series.kept_days)
        self.midnight = midnight
        self.lasting = lasting
        self.has_ended = False
        self.windows: list[Windowed] = []
        # A series begins with the windows of now; of those that are over already with the next.
        self.last: dict[str, datetime] = {
            suffix: midnight - DAY if lasts == DAY else midnight
            for suffix, lasts in lasting.items()
        }

    def due(self) -> list[Span]:
        """
        Return the windows to be made now, by rule and in order.

        Up to the first that is still to begin; those that nothing can be delivered to any more
        are left out. Whoever makes them notes it by `made`.
        """
        return [span for suffix in self.lasting for span in self._due(suffix)]

    def made(self, span: Span, play: Play) -> None:
        """Note that a window has its season."""
        window = Windowed(span.suffix, play)
        if self.windows:
            known = self.windows[0].oracle
            window.oracle.profiles = dict(known.profiles)
            window.oracle.friends = dict(known.friends)
        self.windows.append(window)
        self.last[span.suffix] = max(self.last.get(span.suffix, span.starts_at), span.starts_at)

    def shift(self, back: timedelta) -> None:
        """Let all that there is lie earlier: the clock goes on by as much."""
        for window in self.windows:
            if window.suffix in self.lasting:
                window.shift(back)
        self.last = {suffix: at - back for suffix, at in self.last.items()}

    def send(self, events: Sequence[Event]) -> list[Told]:
        """Send results to the series; return each outcome, and its receipts by season."""
        found = [
            window
            for window in sorted(self.windows, key=lambda window: window.play.season_id)
            if any(window.contains(event.completed_at) for event in events)
        ]
        if not found:
            return [("no_open_season", {}) for _ in events]
        before = {window.slug: set(window.oracle.known) for window in found}
        taken: dict[str, Event] = {}
        for event in events:
            if not any(_conflicts(window, event) for window in found):
                taken.setdefault(event.event_id, event)
        receipts = {window.slug: self._into(window, list(taken.values())) for window in found}
        met: set[str] = set()
        told = []
        for event in events:
            told.append(self._told(event, taken.get(event.event_id), found, before, receipts, met))
            if told[-1][0] != "conflict":
                met.add(event.event_id)
        return told

    def send_to(self, window: Windowed, events: Sequence[Event]) -> list[Receipt]:
        """Send results, each with another id, to one season; return the receipts."""
        if window.retired:
            raise SeasonRetired
        new = [event for event in events if event.event_id not in window.oracle.known]
        if new and window.oracle.final:
            raise SeasonFinal
        moved = {event.event_id: other for event in new if (other := self._other(window, event))}
        refused = {one.event_id for one in new if _conflicts(moved.get(one.event_id), one)}
        for event in new:
            other = moved.get(event.event_id)
            if other and event.event_id not in other.oracle.known:
                other.oracle.apply([event])
        slugs = {event_id: other.slug for event_id, other in moved.items()}
        return window.oracle.apply(events, moved_to=slugs, refused=refused)

    def _due(self, suffix: str) -> list[Span]:
        now, found = datetime.now(UTC), list[Span]()
        at = self.last[suffix]
        while not self.has_ended and at <= now:
            at += DAY
            span = Span(suffix, at, at + self.lasting[suffix])
            if span.ends_at + self.grace > now:
                found.append(span)
        return found

    def _into(self, window: Windowed, events: list[Event]) -> dict[str, Receipt]:
        lacking = [
            event
            for event in events
            if window.contains(event.completed_at) and window.takes_results
            if event.event_id not in window.oracle.known
        ]
        done = window.oracle.apply(lacking)
        return {receipt.event_id: receipt for receipt in done}

    def _told(
        self,
        event: Event,
        taken: Event | None,
        found: Sequence[Windowed],
        before: dict[str, set[str]],
        receipts: dict[str, dict[str, Receipt]],
        met: set[str],
    ) -> Told:
        if event != taken:
            return "conflict", {}
        mine = {}
        for window in found:
            if event.event_id in before[window.slug]:
                first = window.oracle.known[event.event_id][1]
                mine[window.slug] = first._replace(replayed=True)
            elif event.event_id in receipts[window.slug]:
                first = receipts[window.slug][event.event_id]
                mine[window.slug] = first._replace(replayed=event.event_id in met)
        return ("recorded" if mine else "no_open_season"), mine

    def _other(self, window: Windowed, event: Event) -> Windowed | None:
        """Return the season that a late result goes to instead, None if it goes to none."""
        is_late = event.completed_at >= window.cutoff_at or window.is_over
        if not is_late or event.completed_at < window.starts_at or self.late_policy != "next":
            return None
        others = (
            other
            for other in self.windows
            if other.suffix == window.suffix and other is not window
            if other.contains(event.completed_at)
            if other.takes_results and not other.is_over
        )
        return next(others, None)


def _conflicts(window: Windowed | None, event: Event) -> bool:
    """Return whether a season knows a result's id with other content."""
    if window is None or event.event_id not in window.oracle.known:
        return False
    return window.oracle.known[event.event_id][0] != event
