"""Deliver the results in a file of JSON lines, batch by batch, and remember how far it went."""

import json
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from config.errors import Fault, MalformedJson, Unavailable, ValidationFailed
from scores.forms import player_on_line, read_line
from scores.operations import apply_events
from scores.rules import CONFLICT, MOST_EVENTS_OF_A_PLAYER, Event, Receipt

BATCH = 1_000
PATIENCE_SECONDS = 60.0
PAUSE_SECONDS = 0.5


class Mark(NamedTuple):
    """How much of a file is done: whole lines only."""

    offset: int = 0
    line: int = 0


class Part(NamedTuple):
    """
    The lines of a file that one of several processes delivers: all those of some players.

    So a player's results are delivered in the order in which they stand in the file, whichever
    part is ahead. Lines that name no player are the first part's.
    """

    number: int = 1
    of: int = 1

    @property
    def suffix(self) -> str:
        """Return what tells its files from those of other parts; nothing for the whole file."""
        return f".{self.number}of{self.of}" if self.of > 1 else ""

    def has(self, line: bytes) -> bool:
        """Return whether it has a line."""
        if self.of == 1:
            return True
        player = player_on_line(line).encode("utf-8", "surrogatepass")
        return zlib.crc32(player) % self.of == self.number - 1


WHOLE = Part()


class NumberedEvent(NamedTuple):
    """A result and the line it stands on."""

    line: int
    event: Event


@dataclass
class Batch:
    """Lines that are delivered together, and where the file goes on after them."""

    events: list[NumberedEvent] = field(default_factory=list)
    rejects: list[tuple[int, list[Fault]]] = field(default_factory=list)
    end: Mark = field(default_factory=Mark)
    players: Counter[str] = field(default_factory=Counter)

    def has_room_for(self, event: Event) -> bool:
        """Return whether one more event may go into the batch."""
        own = self.players[event.player_id]
        return len(self.events) < BATCH and own < MOST_EVENTS_OF_A_PLAYER

    def add(self, line: int, event: Event) -> None:
        """Put an event into the batch."""
        self.events.append(NumberedEvent(line, event))
        self.players[event.player_id] += 1


class Delivered(NamedTuple):
    """What became of a batch."""

    receipts: list[Receipt]
    rejects: list[tuple[int, list[Fault]]]
    end: Mark


class Progress:
    """How far a file, or a part of it, was delivered into a season, kept beside the file."""

    def __init__(self, file: Path, slug: str, part: Part = WHOLE) -> None:
        """Remember for one file, season and part."""
        self._path = file.with_name(f"{file.name}.{slug}{part.suffix}.progress")
        self._size = file.stat().st_size

    def read(self) -> Mark:
        """Return how far it went; the beginning if it is another file by now."""
        try:
            kept = json.loads(self._path.read_text("utf-8"))
            mark = Mark(int(kept["offset"]), int(kept["line"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Mark()
        return mark if mark.offset <= self._size else Mark()

    def write(self, mark: Mark) -> None:
        """Keep how far it went; a crash leaves the old or the new mark, never half of one."""
        draft = self._path.with_suffix(".draft")
        draft.write_text(json.dumps(mark._asdict()), "utf-8")
        draft.replace(self._path)

    def forget(self) -> None:
        """Forget it: the file is done."""
        self._path.unlink(missing_ok=True)


class Rejects:
    """The lines that were not taken, with the reasons, in a file of JSON lines."""

    def __init__(self, file: Path, slug: str, part: Part = WHOLE, *, anew: bool) -> None:
        """Go on with those of an import that was stopped, or begin anew."""
        self.path = file.with_name(f"{file.name}.{slug}{part.suffix}.rejects")
        if anew:
            self.path.unlink(missing_ok=True)

    def add(self, rejects: list[tuple[int, list[Fault]]]) -> None:
        """Write down some lines."""
        if rejects:
            with self.path.open("a", encoding="utf-8") as file:
                for line, faults in rejects:
                    errors = [fault._asdict() for fault in faults]
                    file.write(json.dumps({"line": line, "errors": errors}) + "\n")

    def count(self) -> int:
        """Return how many different lines were rejected, in this run and those before."""
        if not self.path.exists():
            return 0
        with self.path.open(encoding="utf-8") as file:
            return len({json.loads(line)["line"] for line in file})


def deliver(file: BinaryIO, slug: str, start: Mark, part: Part = WHOLE) -> Iterator[Delivered]:
    """
    Deliver the rest of a file, or of a part of it: yield what became of each committed batch.

    Lines that cannot be read, events that the season refuses, and conflicts are rejected one
    by one; the others of their batch are taken.
    """
    for batch in _batches(file, start, part):
        receipts, refused = _apply(slug, batch.events)
        conflicts = [
            (numbered.line, [Fault("/event_id", CONFLICT, "Known with other content.")])
            for numbered, receipt in receipts
            if receipt.outcome == CONFLICT
        ]
        yield Delivered(
            [receipt for _, receipt in receipts],
            sorted([*batch.rejects, *refused, *conflicts]),
            batch.end,
        )


def _batches(file: BinaryIO, start: Mark, part: Part) -> Iterator[Batch]:
    file.seek(start.offset)
    batch, end = Batch(end=start), start
    for number, line in enumerate(file, start.line + 1):
        after = Mark(end.offset + len(line), number)
        event = _read(batch, number, line) if part.has(line) else None
        if event is not None and not batch.has_room_for(event):
            yield batch
            batch = Batch()
        if event is not None:
            batch.add(number, event)
        batch.end = end = after
    if batch.end != start:
        yield batch


def _read(batch: Batch, number: int, line: bytes) -> Event | None:
    if not line.strip():
        return None
    try:
        return read_line(line)
    except ValidationFailed as refusal:
        batch.rejects.append((number, refusal.faults))
    except MalformedJson as refusal:
        batch.rejects.append((number, [Fault("", refusal.code, refusal.detail)]))
    return None


def _apply(
    slug: str, events: list[NumberedEvent]
) -> tuple[list[tuple[NumberedEvent, Receipt]], list[tuple[int, list[Fault]]]]:
    refused: list[tuple[int, list[Fault]]] = []
    while events:
        try:
            receipts = _patiently(slug, [numbered.event for numbered in events])
            return list(zip(events, receipts, strict=True)), refused
        except ValidationFailed as refusal:
            faulty = _by_event(refusal.faults)
            refused += [(events[index].line, faults) for index, faults in faulty.items()]
            events = [e for index, e in enumerate(events) if index not in faulty]
    return [], refused


def _by_event(faults: list[Fault]) -> dict[int, list[Fault]]:
    by_event: dict[int, list[Fault]] = {}
    for fault in faults:
        index, _, member = fault.pointer.removeprefix("/").partition("/")
        by_event.setdefault(int(index), []).append(fault._replace(pointer=f"/{member}"))
    return by_event


def _patiently(slug: str, events: list[Event]) -> list[Receipt]:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return apply_events(slug, events).receipts
        except Unavailable:
            if time.monotonic() > deadline:
                raise
            time.sleep(PAUSE_SECONDS)


def counted(receipts: list[Receipt]) -> Counter[str]:
    """Return how often each outcome occurs, repetitions as `replayed`."""
    return Counter("replayed" if r.replayed else r.outcome for r in receipts)
