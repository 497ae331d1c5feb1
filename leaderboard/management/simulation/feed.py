"""The changes feed against what the receipts said would be in it. Pure."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.sightings import Sightings

Json = dict[str, Any]
MEMBERS = {
    "season_id",
    "player_id",
    "old_score",
    "new_score",
    "score_version",
    "event_id",
    "kind",
    "region",
    "committed_at",
    "version",
}


class Due(NamedTuple):
    """One change that the feed must give once."""

    event_id: str
    player_id: str
    old: int | None
    new: int | None
    score_version: int
    kind: str
    visible: int


class Feed:
    """The changes that are due, per player in order of application."""

    def __init__(self, begin: int, own: str) -> None:
        """
        Begin after version `begin`; changes up to it are somebody else's.

        The ids of events sent here begin with `own`.
        """
        self._begin, self._own = begin, own
        self._version = begin
        self._due: dict[str, deque[Due]] = {}
        self._given: set[str] = set()

    def expect(self, due: Due) -> None:
        """Note a change that an accepted event made."""
        self._due.setdefault(due.player_id, deque()).append(due)

    def read(self, changes: Iterable[Json], sightings: Sightings) -> Iterator[Finding]:
        """Check one page of the feed, and return what is wrong with it."""
        for change in changes:
            if set(change) != MEMBERS:
                yield Finding("shape", f"a change has members {sorted(change)}")
            elif change["version"] > self._begin:
                yield from self._in_order(change)
                yield from self._one(change, sightings)

    def _unexpected(self, change: Json) -> Finding:
        if change["event_id"].startswith(self._own):
            return Finding("change", f"should have changed nothing: {_short(change)}")
        return Finding("foreign_change", f"nobody here sent {_short(change)}")

    def missing(self) -> Iterator[Finding]:
        """Return what is still due, at a time when all of it should have come."""
        for due in (due for queue in self._due.values() for due in queue):
            yield Finding(
                "change_missing",
                f"{due.event_id} of {due.player_id} ({due.old} to {due.new}, visible in "
                f"{due.visible}) never came",
            )

    def _in_order(self, change: Json) -> Iterator[Finding]:
        if change["version"] < self._version:
            yield Finding(
                "change_order",
                f"{change['event_id']} of version {change['version']} came after {self._version}",
            )
        self._version = max(self._version, change["version"])

    def _one(self, change: Json, sightings: Sightings) -> Iterator[Finding]:
        event_id, queue = change["event_id"], self._due.get(change["player_id"], deque())
        if event_id in self._given:
            yield Finding("change_repeated", f"{event_id} came twice")
            return
        due = next((one for one in queue if one.event_id == event_id), None)
        if due is None or due is not queue[0]:
            yield from _overtaken(queue, due, change)
        if due is None:
            yield self._unexpected(change)
            return
        queue.remove(due)
        self._given.add(event_id)
        yield from _compare(due, change, sightings)


def _overtaken(queue: deque[Due], due: Due | None, change: Json) -> Iterator[Finding]:
    """
    Return what it means that a change came before an older one of the player.

    One that begins at the same score tells that the older one never had effect.
    """
    if not queue:
        return
    first = queue[0]
    if change["old_score"] == first.old and (due is None or due.old != first.old):
        queue.popleft()
        yield Finding(
            "lost_event",
            f"{first.event_id} made {first.player_id} {first.new}, visible from {first.visible} "
            f"on, but the next change begins at {first.old} again",
        )
    elif due is not None:
        yield Finding("change_order", f"{due.event_id} came before {first.event_id}")


def _compare(due: Due, change: Json, sightings: Sightings) -> Iterator[Finding]:
    got = (change["old_score"], change["new_score"], change["score_version"], change["kind"])
    if got != (due.old, due.new, due.score_version, due.kind):
        yield Finding(
            "change",
            f"{due.event_id} was {due.old} to {due.new} ({due.kind}, version "
            f"{due.score_version}), the feed says {_short(change)}",
        )
    version = change["version"]
    if version < due.visible or sightings.seen_between(due.visible, version):
        yield Finding(
            "change",
            f"{due.event_id} is visible from {due.visible} on, the feed has it in {version}",
        )


def _short(change: Json) -> str:
    return (
        f"{change['event_id']}: {change['player_id']} {change['old_score']} to "
        f"{change['new_score']} "
        f"({change['kind']}, version {change['score_version']}) in {change['version']}"
    )
