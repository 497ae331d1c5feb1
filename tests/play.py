"""The same steps done to a season and to its oracle, and what must then agree."""

import itertools
from typing import Any, NamedTuple

from config.errors import ValidationFailed
from leaderboard.operations import publish_version
from scores.models import Best, Ledger, Tally, Undo
from scores.operations import apply_correction, apply_events
from scores.rules import Correction, Event
from seasons.models import Epoch, Season
from seasons.operations import seal_epoch
from tests.factories import correction, event
from tests.oracle import Batch, Oracle, Player


class Wanted(NamedTuple):
    """A result for a player whose version is so far ahead of what is stored."""

    player_id: str
    score: int
    ahead: int


class Play:
    """A season, its oracle, and every event that was sent."""

    def __init__(self, season: Season) -> None:
        self.slug = season.slug
        self.season_id = season.id
        self.namespace = season.namespace
        self.oracle = Oracle(self._open_epoch())
        self.sent: list[Event | Correction] = []

    def results(self, *wanted: Wanted) -> None:
        """Send new results in one batch."""
        self.send(*(event(w.player_id, w.score, self._version(*w)) for w in wanted))

    def send(self, *events: Event) -> None:
        """Send results in one batch; the receipts must be the oracle's."""
        self.sent.extend(events)
        assert apply_events(self.slug, events).receipts == self.oracle.apply(events)

    def send_again(self, which: int, **other: Any) -> None:
        """Send an earlier result once more, perhaps with other content."""
        results = [content for content in self.sent if isinstance(content, Event)]
        if results:
            self.send(results[which % len(results)]._replace(**other))

    def correct(self, player_id: str, ahead: int, **members: Any) -> None:
        """Send a new correction, a removal unless the members say otherwise."""
        version = self._version(player_id, 0, ahead)
        self.send_correction(correction(player_id, version, **members))

    def void(self, player_id: str, which: int, ahead: int) -> None:
        """Take one of the player's earlier events out, whatever it was."""
        own = [content for content in self.sent if content.player_id == player_id]
        if own:
            self.correct(player_id, ahead, void_event_id=own[which % len(own)].event_id)

    def send_correction(self, wanted: Correction) -> None:
        """Send a correction; its receipt, or its refusal, must be the oracle's."""
        assert _answer(lambda: apply_correction(self.slug, wanted)) == _answer(
            lambda: self.oracle.correct(wanted)
        )
        if wanted.event_id in self.oracle.known:
            self.sent.append(wanted)

    def seal(self) -> None:
        """End the open epoch."""
        assert seal_epoch(self.season_id)
        self.oracle.epoch = self._open_epoch()

    def publish(self) -> int | None:
        """Publish what is sealed and return the version's number, None if there is none new."""
        publication = publish_version(self.season_id)
        return publication.version if publication.outcome == "published" else None

    def require_same_rows(self) -> None:
        """Compare bests, ledger and undo with the oracle."""
        players = self.oracle.players.values()
        assert self._bests() == {_best(player) for player in players if player.changes}
        assert self._ledger() == self._expected_ledger()
        assert self._undo() == set().union(*(player.undo for player in players))
        for player_id in self.oracle.players:
            self._require_chain(player_id)

    def require_same_tallies(self) -> None:
        """Compare the tallies, none of them purged, with what the oracle's batches did."""
        rows = Tally.objects.filter(namespace=self.namespace).order_by("id")
        stored = [Batch(*row) for row in rows.values_list(*Batch._fields)]
        assert stored == self.oracle.batches

    def _require_chain(self, player_id: str) -> None:
        rows = Ledger.objects.filter(
            namespace=self.namespace, player_id=player_id, change_no__isnull=False
        ).order_by("id")
        chain = list(rows.values_list("change_no", "old_score", "new_score"))
        assert [number for number, _, _ in chain] == list(range(1, len(chain) + 1))
        assert chain == [] or chain[0][1] is None
        for (_, _, new), (_, old, _) in itertools.pairwise(chain):
            assert old == new

    def _bests(self) -> set[tuple[Any, ...]]:
        rows = Best.objects.filter(namespace=self.namespace).exclude(player_id="")
        return set(
            rows.values_list(
                "player_id", "score", "hidden_score", "removed", "score_version", "revision",
                "epoch", "change_no",
            )
        )  # fmt: skip

    def _ledger(self) -> set[tuple[Any, ...]]:
        rows = Ledger.objects.filter(namespace=self.namespace)
        return set(
            rows.values_list(
                "event_id", "player_id", "outcome", "receipt_score", "receipt_version",
                "visible_in_version", "epoch", "change_no", "old_score", "new_score",
            )
        )  # fmt: skip

    def _expected_ledger(self) -> set[tuple[Any, ...]]:
        changes = {change.event_id: change for change in self.oracle.changes}
        expected = set()
        for event_id, (_, receipt) in self.oracle.known.items():
            change = changes.get(event_id)
            own = (None, None, None) if change is None else change[3:6]
            epoch = self.oracle.epochs[event_id]
            outcome = (receipt.outcome, *receipt[4:7])
            expected.add((event_id, receipt.player_id, *outcome, epoch, *own))
        return expected

    def _undo(self) -> set[tuple[Any, ...]]:
        rows = Undo.objects.filter(namespace=self.namespace)
        return set(rows.values_list("player_id", "from_epoch", "to_epoch", "score"))

    def _version(self, player_id: str, _: int, ahead: int) -> int:
        player = self.oracle.players.get(player_id, Player(player_id))
        return max(1, player.version + ahead)

    def _open_epoch(self) -> int:
        return Epoch.objects.get(season_id=self.season_id).open_epoch


def _best(player: Player) -> tuple[Any, ...]:
    score, removed = player.state
    visible = [change.epoch for change in player.changes if change.visible]
    return (
        player.player_id,
        player.shown,
        score if removed else None,
        removed,
        player.version,
        0,
        visible[-1] if visible else player.changes[0].epoch,
        len(player.changes),
    )


def _answer(call: Any) -> Any:
    try:
        return call()
    except ValidationFailed:
        return ValidationFailed
