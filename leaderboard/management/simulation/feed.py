"""The changes feed against what the receipts and the moves said would be in it. Pure."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.moves import Move, overdue
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
MOVED = "region"


class Page(NamedTuple):
    """A page of the feed; it is `whole` if the feed ended with it when it was asked for."""

    changes: list[Json]
    asked: float
    arrived: float
    whole: bool


class Due(NamedTuple):
    """One change that the feed must give once: of a move it tells the id and the version."""

    event_id: str
    player_id: str
    old: int | None
    new: int | None
    score_version: int | None
    kind: str
    visible: int
    region: str | None = None
    move: Move | None = None


def due_of(move: Move) -> Due:
    """Return what the feed must give of a move."""
    content = (move.score, move.score, move.score_version, MOVED, 0, move.region)
    return Due(move.in_words(), move.player_id, *content, move)


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
        self._settled: list[Move] = []

    def expect(self, due: Due) -> None:
        """Note a change that an accepted event or a move made."""
        self._due.setdefault(due.player_id, deque()).append(due)

    def read(self, changes: Iterable[Json], sightings: Sightings) -> Iterator[Finding]:
        """Check one page of the feed, and return what is wrong with it."""
        for change in changes:
            if set(change) != MEMBERS:
                yield Finding("shape", f"a change has members {sorted(change)}")
            elif change["version"] > self._begin:
                yield from self._in_order(change)
                yield from self._one(change, sightings)

    def missing(self) -> Iterator[Finding]:
        """Return what is still due, at a time when all of it should have come."""
        for due in (due for queue in self._due.values() for due in queue):
            if due.move is None:
                yield Finding(
                    "change_missing",
                    f"{due.event_id} of {due.player_id} ({due.old} to {due.new}, visible in "
                    f"{due.visible}) never came",
                )
            elif not due.move.open_ended:
                yield self._lost(due.move)

    def moves(self) -> Iterator[Move]:
        """Return the moves that are due."""
        for queue in self._due.values():
            yield from (due.move for due in queue if due.move is not None)

    def overdue(self, read_at: float) -> Iterator[Finding]:
        """Return the moves missing in a feed that was read to its end, and await them no more."""
        for move in overdue(self.moves(), read_at):
            queue = self._due[move.player_id]
            queue.remove(next(due for due in queue if due.move is move))
            yield self._lost(move)

    def settled_moves(self) -> list[Move]:
        """Return the moves of which it has turned out lately whether they came, and when."""
        settled, self._settled = self._settled, []
        return settled

    def _unexpected(self, change: Json) -> Finding:
        if change["event_id"].startswith(self._own):
            return Finding("change", f"should have changed nothing: {_short(change)}")
        return Finding("foreign_change", f"nobody here sent {_short(change)}")

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
        due = next((one for one in queue if _is_of(one, change)), None)
        if due is None or due is not queue[0]:
            yield from self._overtaken(queue, due, change)
        if due is None:
            yield self._unexpected(change)
            return
        queue.remove(due)
        if not queue:
            del self._due[due.player_id]
        self._given.add(event_id)
        yield from _compare(due, change, sightings)
        if due.move is not None:
            self._settled.append(due.move)

    def _overtaken(self, queue: deque[Due], due: Due | None, change: Json) -> Iterator[Finding]:
        """
        Return what it means that a change came before an older one of the player.

        One that begins at the same score or region tells that the older one never had effect.
        """
        if not queue:
            return
        first = queue[0]
        if first.move is not None:
            if due is not None:
                queue.popleft()
                found = self._lost(first.move)
                yield from () if first.move.open_ended else (found,)
        elif change["old_score"] == first.old and (due is None or due.old != first.old):
            queue.popleft()
            yield Finding(
                "lost_event",
                f"{first.event_id} made {first.player_id} {first.new}, visible from "
                f"{first.visible} on, but the next change begins at {first.old} again",
            )
        elif due is not None:
            yield Finding("change_order", f"{due.event_id} came before {first.event_id}")

    def _lost(self, move: Move) -> Finding:
        self._settled.append(move)
        promised = "" if move.promised is None else f", which version {move.promised} must have,"
        return Finding("lost_move", f"{move.in_words()}{promised} is not in the feed")


def _is_of(due: Due, change: Json) -> bool:
    """Return whether a change may be the one that is due: moves have no id of ours."""
    if due.move is not None:
        return bool(change["kind"] == MOVED and change["region"] == due.region)
    return bool(change["event_id"] == due.event_id)


def _compare(due: Due, change: Json, sightings: Sightings) -> Iterator[Finding]:
    got = (change["old_score"], change["new_score"], change["score_version"], change["kind"])
    if (*got, change["region"]) != (due.old, due.new, due.score_version, due.kind, due.region):
        yield Finding(
            "change",
            f"{due.event_id} was {due.old} to {due.new} ({due.kind}, version "
            f"{due.score_version}, region {due.region}), the feed says {_short(change)}",
        )
    version = change["version"]
    if due.move is not None:
        yield from _place(due.move, version)
    elif version < due.visible or sightings.seen_between(due.visible, version):
        yield Finding(
            "change",
            f"{due.event_id} is visible from {due.visible} on, the feed has it in {version}",
        )


def _place(move: Move, version: int) -> Iterator[Finding]:
    """Take the version of a move: not one seen before it was sent, nor one after its promise."""
    move.visible = version
    if version <= move.newest:
        yield Finding(
            "move_version",
            f"{move.in_words()} is in {version}, and {move.newest} was seen before it was sent",
        )
    elif move.promised is not None and version > move.promised:
        yield Finding(
            "move_version",
            f"{move.in_words()} is in {version}, and {move.promised} was sealed after the answer",
        )


def _short(change: Json) -> str:
    return (
        f"{change['event_id']}: {change['player_id']} {change['old_score']} to "
        f"{change['new_score']} "
        f"({change['kind']}, version {change['score_version']}) in {change['version']}"
    )
