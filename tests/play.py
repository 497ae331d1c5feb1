"""The same steps done to a season and to its oracle, and what must then agree."""

import itertools
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from config.errors import FriendsConflict, SeasonFinal, ValidationFailed
from leaderboard.operations import publish_version
from scores.models import Best, Ledger, Tally, Undo
from scores.operations import apply_correction, apply_events, set_friends, set_profiles
from scores.rules import Correction, Event, Profile, friend_list
from seasons.models import Epoch, Season
from seasons.operations import seal_epoch
from tests.factories import correction, event
from tests.oracle import Batch, Kind, Oracle, Player, Standing

REFUSALS = (FriendsConflict, SeasonFinal, ValidationFailed)


class Wanted(NamedTuple):
    """A result for a player whose version is so far ahead of what is stored."""

    player_id: str
    score: int
    ahead: int
    completed_at: datetime | None = None


class Play:
    """A season, its oracle, and every event that was sent."""

    def __init__(self, season: Season) -> None:
        self.slug = season.slug
        self.season_id = season.id
        self.namespace = season.namespace
        self.season = season
        self.oracle = Oracle(self.open_epoch, kind_of(season))
        self.oracle.starts_at = season.starts_at
        self.sent: list[Event | Correction] = []

    @property
    def open_epoch(self) -> int:
        """Return the season's open epoch."""
        return Epoch.objects.get(season_id=self.season_id).open_epoch

    def results(self, *wanted: Wanted) -> None:
        """Send new results in one batch."""
        self.send(*map(self.result, wanted))

    def result(self, wanted: Wanted) -> Event:
        """Return a new result."""
        at = {} if wanted.completed_at is None else {"completed_at": wanted.completed_at}
        version = self.version(wanted.player_id, wanted.ahead)
        return event(wanted.player_id, wanted.score, version, **at)

    def send(self, *events: Event) -> None:
        """Send results in one batch; the receipts, or the refusal, must be the oracle's."""
        expected = _answer(lambda: self.oracle.apply(events))
        assert _answer(lambda: apply_events(self.slug, events).receipts) == expected
        self.sent.extend(one for one in events if one.event_id in self.oracle.known)

    def send_again(self, which: int, **other: Any) -> None:
        """Send an earlier result once more, perhaps with other content."""
        results = [content for content in self.sent if isinstance(content, Event)]
        if results:
            self.send(results[which % len(results)]._replace(**other))

    def correct(self, player_id: str, ahead: int, **members: Any) -> None:
        """Send a new correction, a removal unless the members say otherwise."""
        self.send_correction(correction(player_id, self.version(player_id, ahead), **members))

    def void(self, player_id: str, which: int, ahead: int) -> None:
        """Take one of the player's earlier events out, whatever it was."""
        void = self.event_of(player_id, which)
        if void is not None:
            self.correct(player_id, ahead, void_event_id=void)

    def event_of(self, player_id: str, which: int) -> str | None:
        """Return the id of one of the player's earlier events, None if there is none."""
        own = [content for content in self.sent if content.player_id == player_id]
        return own[which % len(own)].event_id if own else None

    def send_correction(self, wanted: Correction) -> None:
        """Send a correction; its receipt, or its refusal, must be the oracle's."""
        assert _answer(lambda: apply_correction(self.slug, wanted)) == _answer(
            lambda: self.oracle.correct(wanted)
        )
        if wanted.event_id in self.oracle.known:
            self.sent.append(wanted)

    def profiles(self, *wanted: tuple[str, str | None, int]) -> None:
        """Say, by profiles so far ahead of those stored, which region players belong to."""
        given = [
            Profile(player, region, max(1, self._profile_version(player) + ahead))
            for player, region, ahead in wanted
        ]
        require_profiles([self.oracle], given)

    def befriend(self, player_id: str, named: Sequence[str], ahead: int) -> None:
        """Give a player a friend list that is so far ahead of the one stored."""
        stored = self.oracle.friends.get(player_id)
        version = max(1, (stored.friends_version if stored else 0) + ahead)
        given = friend_list(player_id, named, version)
        if self.oracle.set_friends(given):
            assert set_friends(given).says(given)
        else:
            assert _answer(lambda: set_friends(given)) is FriendsConflict

    def seal(self) -> None:
        """End the open epoch."""
        assert seal_epoch(self.season_id)
        self.oracle.epoch = self.open_epoch

    def publish(self) -> int | None:
        """Publish what is sealed and return the version's number, None if there is none new."""
        publication = publish_version(self.season_id)
        return publication.version if publication.outcome == "published" else None

    def version(self, player_id: str, ahead: int) -> int:
        """Return a version that is so far ahead of the one stored for a player."""
        player = self.oracle.players.get(player_id)
        return max(1, (player.version if player else 0) + ahead)

    def merit(self, score: int | None) -> int | None:
        """Return what is stored in place of a score, and the reverse: more is better."""
        if score is None or self.season.order == "desc":
            return score
        return self.season.score_min + self.season.score_max - score

    def require_same_rows(self) -> None:
        """Compare bests, ledger and undo, none of it purged, with the oracle."""
        self.require_same_bests()
        assert self._undo() == set().union(*(one.undo for one in self.oracle.players.values()))

    def require_same_bests(self) -> None:
        """Compare bests and ledger with the oracle."""
        players = self.oracle.players.values()
        assert self._bests() == {self._best(player) for player in players if player.changes}
        assert self._ledger() == self._expected_ledger()
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
                "player_id", "score", "hidden_score", "removed", "tie_key", "region",
                "score_version", "revision", "epoch", "change_no",
            )
        )  # fmt: skip

    def _best(self, player: Player) -> tuple[Any, ...]:
        state, shown = player.state, player.shown
        return (
            player.player_id,
            self.merit(shown and shown.score),
            self.merit(state.best) if state.removed else None,
            state.removed,
            shown.tie_key if shown else 0,
            self._board(player.region),
            player.version,
            player.revision,
            player.stamp,
            len(player.changes),
        )

    def _ledger(self) -> set[tuple[Any, ...]]:
        rows = Ledger.objects.filter(namespace=self.season.ledger_namespace)
        return set(
            rows.exclude(kind_group=1).values_list(
                "event_id", "player_id", "outcome", "receipt_score", "receipt_version",
                "visible_in_version", "epoch", "change_no", "old_score", "new_score",
            )
        )  # fmt: skip

    def _expected_ledger(self) -> set[tuple[Any, ...]]:
        changes = {change.event_id: change for change in self.oracle.changes}
        expected = set()
        for event_id, (_, receipt) in self.oracle.known.items():
            change = changes.get(event_id)
            own: tuple[int | None, ...] = (None, None, None)
            if change is not None and change.kind != "release":
                own = (change.change_no, *map(self.merit, change.scores))
            outcome = (receipt.outcome, self.merit(receipt.best_score), *receipt[5:7])
            epoch = self.oracle.epochs[event_id]
            expected.add((event_id, receipt.player_id, *outcome, epoch, *own))
        return expected

    def _undo(self) -> set[tuple[Any, ...]]:
        rows = Undo.objects.filter(namespace=self.namespace)
        columns = ("player_id", "from_epoch", "to_epoch", "score", "tie_key", "region")
        return {
            (*span, Standing(self.merit(score) or 0, tie_key, self._region(region)))
            for *span, score, tie_key, region in rows.values_list(*columns)
        }

    def _board(self, region: str | None) -> int | None:
        return None if region is None else self.season.regions.index(region) + 1

    def _region(self, board: int | None) -> str | None:
        return None if board is None else self.season.regions[board - 1]

    def _profile_version(self, player_id: str) -> int:
        stored = self.oracle.profiles.get(player_id)
        return stored.profile_version if stored else 0


def kind_of(season: Season) -> Kind:
    """Return the rules of a season that its boards follow."""
    return Kind(
        season.tie_rule, season.order, season.keep, tuple(season.regions), season.late_policy
    )


def require_profiles(oracles: Sequence[Oracle], given: Sequence[Profile]) -> None:
    """Store profiles; what becomes of each must be what every season's oracle says."""
    done = [one.outcome for one in set_profiles(given)]
    assert all(oracle.set_profiles(given) == done for oracle in oracles)


def _answer(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except REFUSALS as refusal:
        return type(refusal)
