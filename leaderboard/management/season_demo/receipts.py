"""The receipts that events must get, worked out from the model before they are sent. Pure."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from leaderboard.management.season_demo.checks import Checks
from leaderboard.management.season_demo.model import Model
from leaderboard.management.season_demo.traffic import Event

Json = dict[str, Any]


class Receipt(NamedTuple):
    """A receipt, member by member."""

    event_id: str
    player_id: str
    outcome: str
    replayed: bool
    best_score: int | None
    score_version: int | None
    visible_in_version: int | None


class Expected(NamedTuple):
    """
    What the receipt of an event must say.

    `moved`: it changes the board, in a version that only the server knows; None: the version
    must be the one of `receipt`. `twin` is the event of the same batch that it repeats.
    """

    receipt: Receipt
    moved: bool | None
    twin: int | None = None


class Shown(NamedTuple):
    """A change that the boards and the feed must show, and from which version on."""

    kind: str
    score_version: int | None
    version: int


class Book:
    """Everything that was sent, with its first receipts, and the model after it."""

    def __init__(self, model: Model) -> None:
        """Begin with nothing sent; times are texts as the server shows them, in UTC."""
        self.model = model
        self.starts_at = ""
        self.cutoff_at: str | None = None
        self.first: dict[str, tuple[Event, Receipt]] = {}
        self.shown: dict[str, Shown] = {}
        self.newest = 0

    @property
    def due(self) -> int:
        """The version that includes everything so far."""
        return max((shown.version for shown in self.shown.values()), default=0)

    def untimely(self, event: Event) -> str | None:
        """Return the outcome of a result from outside the season's time."""
        if event.completed_at < self.starts_at:
            return "before_start"
        if self.cutoff_at is not None and event.completed_at >= self.cutoff_at:
            return "late_held"
        return None

    def expect(self, events: Sequence[Event]) -> list[Expected]:
        """Play a batch on the model, and return what each receipt must say."""
        new: dict[str, int] = {}
        for at, event in enumerate(events):
            if event.event_id not in self.first:
                new.setdefault(event.event_id, at)
        in_order = sorted(new.values(), key=lambda at: (events[at].score_version, at))
        played = {at: self._play(events[at]) for at in in_order if not self.untimely(events[at])}
        return [
            played.get(at) or self._unplayed(events, at, new.get(event.event_id))
            for at, event in enumerate(events)
        ]

    def remember(self, event: Event, receipt: Receipt) -> None:
        """Keep the first receipt of an event."""
        if receipt.outcome == "conflict" or event.event_id in self.first:
            return
        self.first[event.event_id] = event, receipt._replace(replayed=False)
        if receipt.visible_in_version is not None:
            version = receipt.visible_in_version
            self.shown[event.event_id] = Shown("result", event.score_version, version)

    def _play(self, event: Event) -> Expected:
        player = event.player_id
        before = self.model.shown(player)
        outcome = self.model.result(player, event.best_score, event.score_version)
        stored = self.model.best[player], self.model.version[player]
        receipt = Receipt(event.event_id, player, outcome, False, *stored, None)  # noqa: FBT003
        return Expected(receipt, moved=self.model.shown(player) != before)

    def _unplayed(self, events: Sequence[Event], at: int, twin: int | None) -> Expected:
        event = events[at]
        sent, first = self.first.get(event.event_id, (None, None))
        if first is not None and sent == event:
            return Expected(first._replace(replayed=True), moved=None)
        if twin == at:
            return Expected(self._as_stored(event, self.untimely(event) or ""), moved=False)
        if twin is not None and events[twin] == event:
            return Expected(self._as_stored(event, ""), moved=None, twin=twin)
        return Expected(self._as_stored(event, "conflict"), moved=False)

    def _as_stored(self, event: Event, outcome: str) -> Receipt:
        """Return the receipt of an event that leaves everything as it is."""
        player = event.player_id
        score, version = self.model.shown(player), self.model.version.get(player)
        return Receipt(event.event_id, player, outcome, False, score, version, None)  # noqa: FBT003


def as_receipt(found: Json) -> Receipt | None:
    """Return a receipt, None for an object that is none."""
    return Receipt(**found) if found.keys() == set(Receipt._fields) else None


def check_receipts(
    checks: Checks,
    expected: Sequence[Expected],
    found: Sequence[Json],
    newest: int,
    *,
    retried: bool = False,
) -> list[Receipt | None]:
    """
    Check each receipt of a batch, and return them.

    `newest` is the newest version seen before the batch was sent. Of one that was sent again
    for want of an answer it is open which receipts are replays.
    """
    receipts = [as_receipt(one) for one in found]
    for one, receipt in zip(expected, receipts, strict=True):
        _check(checks, one, receipt, receipts, retried=retried)
    versions = {
        receipt.visible_in_version
        for one, receipt in zip(expected, receipts, strict=True)
        if one.moved and receipt is not None
    }
    if versions:
        later = [version for version in versions if version is not None and version > newest]
        what = f"one version above {newest} for all that a batch changes, of {versions}"
        checks.equal(what, (1, 1), (len(versions), len(later)))
    return receipts


def _check(
    checks: Checks,
    expected: Expected,
    found: Receipt | None,
    batch: Sequence[Receipt | None],
    *,
    retried: bool,
) -> None:
    wanted, moved = expected.receipt, expected.moved
    twin = None if expected.twin is None else batch[expected.twin]
    if twin is not None:
        wanted = twin._replace(replayed=True)
    if found is not None and retried:
        wanted = wanted._replace(replayed=found.replayed)
    if found is not None and moved and found.visible_in_version is not None:
        wanted = wanted._replace(visible_in_version=found.visible_in_version)
    elif moved:
        checks.equal(f"receipt of {wanted.event_id}, visible from some version on", wanted, found)
        return
    checks.equal(f"receipt of {wanted.event_id}", wanted, found)
