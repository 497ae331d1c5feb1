"""
A season in plain Python: what every receipt, row and board must be.

Nothing is kept that can be counted again: a player's state is folded anew from the list of
what counts, a board is made of every player's history, a rank by counting who is higher.
"""

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from config.errors import EventConflict, ValidationFailed
from scores.rules import Correction, Event, Receipt

Board = dict[str, int]


class Counted(NamedTuple):
    """An event that folds."""

    event_id: str
    kind: str
    score: int | None
    void_event_id: str | None
    order: tuple[int, int, int] = (0, 0, 0)


class Change(NamedTuple):
    """What the ledger says of an event that touched a best."""

    event_id: str
    player_id: str
    epoch: int
    change_no: int
    old_score: int | None
    new_score: int | None
    visible: bool


class Batch(NamedTuple):
    """What the tally of a batch says."""

    epoch: int
    events: int
    changes: int
    entered: int
    left_board: int
    score_delta: int


class Player:
    """All that happened to one player."""

    def __init__(self, player_id: str) -> None:
        self.player_id = player_id
        self.counted: list[Counted] = []
        self.version = 0
        self.revision = 0
        self.changes: list[Change] = []

    @property
    def state(self) -> tuple[int | None, bool]:
        """Return the best, shown or not, and whether the player is removed."""
        voided = {event.void_event_id for event in self.counted if event.kind == "void"}
        best, removed = None, False
        for event in sorted(self.counted, key=lambda event: event.order):
            if event.event_id in voided or event.kind == "void":
                continue
            if event.kind == "remove":
                removed = True
            elif event.kind == "set":
                best, removed = event.score, False
            else:
                best = max(score for score in (best, event.score) if score is not None)
        return best, removed

    @property
    def shown(self) -> int | None:
        """Return the score on the boards."""
        best, removed = self.state
        return None if removed else best

    def shown_at(self, version: int) -> int | None:
        """Return the score on the boards of a version."""
        before = [change.new_score for change in self.changes if change.epoch <= version]
        return before[-1] if before else None

    def count(self, event: Counted, version: int, epoch: int) -> Change:
        """Fold an event in and return what it did."""
        self.version, self.revision = version, 0
        return self._count(event, (version, 0), epoch)

    def count_own(self, event: Counted, held_version: int | None, epoch: int) -> Change:
        """Fold an event of the server's own in: a held result counts at its own version."""
        self.revision += 1
        order = (self.version, self.revision) if held_version is None else (held_version, 0)
        return self._count(event, order, epoch)

    def _count(self, event: Counted, order: tuple[int, int], epoch: int) -> Change:
        old, number = self.shown, len(self.changes) + 1
        self.counted.append(event._replace(order=(*order, number)))
        new = self.shown
        change = Change(event.event_id, self.player_id, epoch, number, old, new, old != new)
        self.changes.append(change)
        return change

    @property
    def undo(self) -> set[tuple[str, int, int, int]]:
        """Return which (player, from, to, score) the epochs of visible changes left behind."""
        stamps = sorted({change.epoch for change in self.changes if change.visible})
        return {
            (self.player_id, first, second, score)
            for first, second in itertools.pairwise(stamps)
            if (score := self.shown_at(first)) is not None
        }


class Oracle:
    """A season; `epoch` is the open one, and the test moves it when it seals."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch
        self.players: dict[str, Player] = {}
        self.known: dict[str, tuple[Event | Correction, Receipt]] = {}
        self.epochs: dict[str, int] = {}
        self.batches: list[Batch] = []

    def player(self, player_id: str) -> Player:
        return self.players.setdefault(player_id, Player(player_id))

    @property
    def changes(self) -> list[Change]:
        """Return every change of every player."""
        return [change for player in self.players.values() for change in player.changes]

    def board_at(self, version: int) -> Board:
        """Return the score of each player on the board of a version."""
        shown = {name: player.shown_at(version) for name, player in self.players.items()}
        return {name: score for name, score in shown.items() if score is not None}

    def apply(self, events: Sequence[Event]) -> list[Receipt]:
        """Accept a batch of timely results and return the receipts."""
        before = set(self.known)
        fresh: dict[str, Event] = {}
        for event in events:
            if event.event_id not in before:
                fresh.setdefault(event.event_id, event)
        self._tally([self._result(event) for event in sorted(fresh.values(), key=_version)])
        met: set[str] = set(before)
        receipts = []
        for event in events:
            content, receipt = self.known[event.event_id]
            if content != event:
                receipt = self._stored("conflict", event)
            receipts.append(receipt._replace(replayed=content == event and event.event_id in met))
            met.add(event.event_id)
        return receipts

    def apply_late(self, event: Event, outcome: str) -> Receipt:
        """Record a result that came too late, and return its receipt."""
        receipt = self._stored(outcome, event)
        self._know(event, receipt)
        self._tally([None])
        return receipt

    def release(self, event: Event) -> int | None:
        """Let a held result count, and return what the player shows then."""
        player = self.player(event.player_id)
        counted = Counted(event.event_id, "release", event.best_score, None)
        self._tally([player.count_own(counted, event.score_version, self.epoch)])
        return player.shown

    def correct_own(
        self, player_id: str, kind: str, event_id: str, score: int | None, void: str | None
    ) -> int | None:
        """Do what an admin decided, and return what the player shows then."""
        player = self.player(player_id)
        counted = Counted(event_id, kind, score, void)
        self._tally([player.count_own(counted, None, self.epoch)])
        return player.shown

    def correct(self, correction: Correction) -> Receipt:
        """Accept a correction and return its receipt."""
        if correction.event_id in self.known:
            content, receipt = self.known[correction.event_id]
            if content != correction:
                raise EventConflict
            return receipt._replace(replayed=True)
        self._require_voidable(correction)
        player = self.player(correction.player_id)
        if correction.score_version <= player.version:
            stale = self._stored("stale_version", correction)
            self._know(correction, stale._replace(best_score=player.shown))
            self._tally([None])
        else:
            counted = Counted(
                correction.event_id,
                correction.kind,
                correction.corrected_score,
                correction.void_event_id,
            )
            change = player.count(counted, correction.score_version, self.epoch)
            self._know(correction, self._receipt("corrected", correction, player.shown, change))
            self._tally([change])
        return self.known[correction.event_id][1]

    def _require_voidable(self, correction: Correction) -> None:
        if correction.kind != "void":
            return
        content, _ = self.known.get(correction.void_event_id or "", (None, None))
        if content is None or content.player_id != correction.player_id:
            raise ValidationFailed([])
        if isinstance(content, Correction) and content.kind == "void":
            raise ValidationFailed([])

    def _result(self, event: Event) -> Change | None:
        player = self.player(event.player_id)
        if event.score_version <= player.version:
            self._know(event, self._stored("stale_version", event))
            return None
        old, _ = player.state
        counted = Counted(event.event_id, "result", event.best_score, None)
        change = player.count(counted, event.score_version, self.epoch)
        best, _ = player.state
        outcome = "not_improved" if best == old else "improved"
        self._know(event, self._receipt(outcome, event, best, change))
        return change

    def _know(self, content: Event | Correction, receipt: Receipt) -> None:
        self.known[content.event_id] = (content, receipt)
        self.epochs[content.event_id] = self.epoch

    def _receipt(
        self, outcome: str, content: Event | Correction, best: int | None, change: Change
    ) -> Receipt:
        return Receipt(
            content.event_id,
            content.player_id,
            outcome,
            replayed=False,
            best_score=best,
            score_version=content.score_version,
            visible_in_version=self.epoch if change.visible else None,
        )

    def _stored(self, outcome: str, content: Event | Correction) -> Receipt:
        player = self.players.get(content.player_id, Player(content.player_id))
        return Receipt(
            content.event_id,
            content.player_id,
            outcome,
            replayed=False,
            best_score=player.state[0],
            score_version=player.version or None,
            visible_in_version=None,
        )

    def _tally(self, changes: Iterable[Change | None]) -> None:
        every = list(changes)
        seen = [change for change in every if change is not None and change.visible]
        if every:
            self.batches.append(
                Batch(
                    self.epoch,
                    len(every),
                    len(seen),
                    sum(change.old_score is None for change in seen),
                    sum(change.new_score is None for change in seen),
                    sum((change.new_score or 0) - (change.old_score or 0) for change in seen),
                )
            )


def ranks(board: Board) -> dict[str, int]:
    """Return each player's rank: 1 + how many have a higher score."""
    return {
        player: 1 + sum(other > score for other in board.values())
        for player, score in board.items()
    }


def display_order(board: Board) -> list[tuple[int, str, int]]:
    """Return (rank, player, score) of the whole board: best first, ties by player."""
    rank_of = ranks(board)
    ordered = sorted(board.items(), key=lambda item: (-item[1], item[0]))
    return [(rank_of[player], player, score) for player, score in ordered]


def _version(event: Event) -> int:
    return event.score_version
