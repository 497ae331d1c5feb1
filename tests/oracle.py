"""
A season in plain Python: what every receipt, row and board must be, by the season's rules.

Nothing is kept that can be counted again: a player's state is folded anew from the list of
what counts, a board is made of every player's history, a rank by counting who is better.
Scores are those that people see, also where the lower one wins.
"""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from config.errors import EventConflict, SeasonFinal, ValidationFailed
from scores.rules import Correction, Event, FriendList, Profile, Receipt

Board = dict[str, int]

NOWHERE: Mapping[str, str] = {}
# The tie key of a score whose time nobody knows.
TIMELESS = 2**62
FIRST_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class Kind(NamedTuple):
    """The rules that a season's boards follow, and what becomes of late results."""

    tie_rule: str = "shared"
    order: str = "desc"
    keep: str = "best"
    regions: tuple[str, ...] = ()
    late_policy: str = "reject"

    def replaces(self, score: int, best: int) -> bool:
        """Return whether a result replaces what was the best until then."""
        if self.keep == "latest":
            return score != best
        return score < best if self.order == "asc" else score > best

    def tie_key(self, at: datetime | None) -> int:
        """Return what orders equal scores, of one that was achieved at a time."""
        if self.tie_rule == "shared":
            return 0
        return TIMELESS if at is None else (at - FIRST_TIME) // timedelta(microseconds=1)


USUAL = Kind()


class Standing(NamedTuple):
    """What boards show of a player."""

    score: int
    tie_key: int = 0
    region: str | None = None


class Row(NamedTuple):
    """A row of a board in display order."""

    rank: int
    player_id: str
    score: int
    tie_key: int


class State(NamedTuple):
    """What a player's events have folded to."""

    best: int | None = None
    at: datetime | None = None
    removed: bool = False


class Counted(NamedTuple):
    """An event that folds; `at` is the time that it brings, unless it keeps the one of before."""

    event_id: str
    kind: str
    score: int | None
    void_event_id: str | None = None
    at: datetime | None = None
    keeps_time: bool = False
    order: tuple[int, int, int] = (0, 0, 0)


class Change(NamedTuple):
    """What the ledger says of an event that touched a best; a move's id is the ledger's own."""

    event_id: str | None
    player_id: str
    kind: str
    score_version: int
    epoch: int
    change_no: int
    old: Standing | None
    new: Standing | None
    region: str | None

    @property
    def visible(self) -> bool:
        """Return whether a board shows something else than before."""
        return self.old != self.new

    @property
    def scores(self) -> tuple[int | None, int | None]:
        """Return the score before and after."""
        old, new = self.old, self.new
        return old and old.score, new and new.score


class Pending(NamedTuple):
    """What is accepted of a player that a version does not show."""

    score: int | None
    score_version: int
    epoch: int


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

    def __init__(self, player_id: str, kind: Kind) -> None:
        self.player_id = player_id
        self.kind = kind
        self.counted: list[Counted] = []
        self.version = 0
        self.revision = 0
        self.region: str | None = None
        self.changes: list[Change] = []

    @property
    def state(self) -> State:
        """Return what all that counts folds to, voided events left out."""
        voided = {event.void_event_id for event in self.counted if event.kind == "void"}
        state = State()
        for event in sorted(self.counted, key=lambda event: event.order):
            if event.event_id not in voided and event.kind != "void":
                state = self._after(state, event)
        return state

    @property
    def shown(self) -> Standing | None:
        """Return what boards show now."""
        state = self.state
        if state.removed or state.best is None:
            return None
        return Standing(state.best, self.kind.tie_key(state.at), self.region)

    def shown_at(self, version: int) -> Standing | None:
        """Return what the boards of a version show."""
        before = [change.new for change in self.changes if change.epoch <= version]
        return before[-1] if before else None

    @property
    def stamp(self) -> int:
        """Return the epoch that the best is stamped with."""
        visible = [change.epoch for change in self.changes if change.visible]
        return visible[-1] if visible else self.changes[0].epoch

    @property
    def undo(self) -> set[tuple[str, int, int, Standing]]:
        """Return which (player, from, to, shown) the epochs of visible changes left behind."""
        stamps = sorted({change.epoch for change in self.changes if change.visible})
        return {
            (self.player_id, first, second, shown)
            for first, second in itertools.pairwise(stamps)
            if (shown := self.shown_at(first)) is not None
        }

    def count(self, event: Counted, version: int, epoch: int) -> Change:
        """Fold an event in and return what it did."""
        self.version, self.revision = version, 0
        return self._count(event, (version, 0), epoch)

    def count_own(self, event: Counted, held_version: int | None, epoch: int) -> Change:
        """
        Fold an event of the server's own in, behind all that counts.

        But a held result counts at its own version.
        """
        self.revision += 1
        order = (self.version, self.revision) if held_version is None else (held_version, 0)
        last = max((counted.order for counted in self.counted), default=order)
        if held_version is None and last[0] > self.version:
            order = (last[0], last[1] + 1)
        return self._count(event, order, epoch)

    def move(self, region: str | None, epoch: int) -> Change:
        """Put the player on another region's board and return what that did."""
        old, self.region = self.shown, region
        return self._change(None, "region", self.version, epoch, old)

    def _count(self, event: Counted, order: tuple[int, int], epoch: int) -> Change:
        old = self.shown
        self.counted.append(event._replace(order=(*order, len(self.changes) + 1)))
        return self._change(event.event_id, event.kind, order[0], epoch, old)

    def _change(
        self, event_id: str | None, kind: str, version: int, epoch: int, old: Standing | None
    ) -> Change:
        what = (event_id, self.player_id, kind, version, epoch, len(self.changes) + 1)
        self.changes.append(Change(*what, old, self.shown, self.region))
        return self.changes[-1]

    def _after(self, state: State, event: Counted) -> State:
        if event.kind == "remove":
            return state._replace(removed=True)
        assert event.score is not None
        if event.kind == "set":
            return State(event.score, state.at if event.keeps_time else event.at)
        if state.best is None or self.kind.replaces(event.score, state.best):
            return state._replace(best=event.score, at=event.at)
        return state


class Oracle:
    """A season; `epoch` is the open one, and the test moves it when it seals."""

    def __init__(self, epoch: int, kind: Kind = USUAL) -> None:
        self.epoch = epoch
        self.kind = kind
        self.starts_at = FIRST_TIME
        self.cutoff_at: datetime | None = None
        self.grace_is_over = self.final = False
        self.players: dict[str, Player] = {}
        self.profiles: dict[str, Profile] = {}
        self.friends: dict[str, FriendList] = {}
        self.known: dict[str, tuple[Event | Correction, Receipt]] = {}
        self.epochs: dict[str, int] = {}
        self.batches: list[Batch] = []

    def player(self, player_id: str) -> Player:
        return self.players.setdefault(player_id, Player(player_id, self.kind))

    @property
    def changes(self) -> list[Change]:
        """Return every change of every player."""
        return [change for player in self.players.values() for change in player.changes]

    def board_at(self, version: int, region: str | None = None) -> dict[str, Standing]:
        """Return what a board of a version shows of each of its players."""
        shown = {name: player.shown_at(version) for name, player in self.players.items()}
        return {
            name: standing
            for name, standing in shown.items()
            if standing is not None and region in {None, standing.region}
        }

    def pending(self, player_id: str, version: int, region: str | None) -> Pending | None:
        """Return what is accepted of a player, on a board or for it, that a version lacks."""
        player = self.players.get(player_id)
        if player is None or not player.changes or player.stamp <= version:
            return None
        here = player.shown if region in {None, player.region} else None
        if here is None and player_id not in self.board_at(version, region):
            return None
        return Pending(here and here.score, player.version, player.stamp)

    def apply(
        self,
        events: Sequence[Event],
        moved_to: Mapping[str, str] = NOWHERE,
        refused: Collection[str] = (),
    ) -> list[Receipt]:
        """
        Accept a batch of results and return the receipts; SeasonFinal for new ones then.

        `moved_to` says of late ones which season they go to, `refused` has the ids of those
        that that season knows otherwise.
        """
        before = set(self.known)
        fresh: dict[str, Event] = {}
        for event in events:
            if event.event_id not in before:
                fresh.setdefault(event.event_id, event)
        if fresh and self.final:
            raise SeasonFinal
        self._take([one for one in fresh.values() if one.event_id not in refused], moved_to)
        met: set[str] = set(before)
        receipts = []
        for event in events:
            content, receipt = self.known.get(event.event_id, (None, None))
            if receipt is None or content != event:
                receipt = self._stored("conflict", event)
            receipts.append(receipt._replace(replayed=content == event and event.event_id in met))
            met.add(event.event_id)
        return receipts

    def release(self, event: Event) -> int | None:
        """Let a held result count, and return what the player shows then."""
        counted = Counted(event.event_id, "release", event.best_score, at=event.completed_at)
        return self._count_own(event.player_id, counted, event.score_version)

    def refuse(self) -> None:
        """Refuse a held result: nothing changes, but the ledger has it."""
        self._tally([None])

    def correct_own(
        self, player_id: str, kind: str, event_id: str, score: int | None, void: str | None
    ) -> int | None:
        """Do what an admin decided, and return what the player shows then."""
        counted = Counted(event_id, kind, score, void, keeps_time=True)
        return self._count_own(player_id, counted, None)

    def correct(self, correction: Correction) -> Receipt:
        """Accept a correction and return its receipt."""
        if correction.event_id in self.known:
            content, receipt = self.known[correction.event_id]
            if content != correction:
                raise EventConflict
            return receipt._replace(replayed=True)
        self._require_voidable(correction)
        player = self._touched(correction.player_id)
        if correction.score_version <= player.version:
            stale = self._stored("stale_version", correction)
            shown = player.shown
            self._know(correction, stale._replace(best_score=shown and shown.score))
            self._tally([None])
        else:
            change = player.count(_counted(correction), correction.score_version, self.epoch)
            self._know(
                correction, self._receipt("corrected", correction, change.scores[1], change)
            )
            self._tally([change])
        return self.known[correction.event_id][1]

    def set_profiles(self, profiles: Sequence[Profile]) -> list[str]:
        """Store profiles, move the players whom they concern, and return each outcome."""
        moved: list[Change] = []
        newest: dict[str, Profile] = {}
        for profile in profiles:
            stored = newest.get(profile.player_id)
            if stored is None or profile.profile_version > stored.profile_version:
                newest[profile.player_id] = profile
        for profile in newest.values():
            stored = self.profiles.get(profile.player_id)
            if stored is None or profile.profile_version > stored.profile_version:
                self.profiles[profile.player_id] = profile
                moved.extend(self._move(profile.player_id))
        if moved:
            self._tally(moved)
        return [
            "stored" if self.profiles[profile.player_id] == profile else "conflict"
            for profile in profiles
        ]

    def set_friends(self, given: FriendList) -> bool:
        """Store a friend list if it is newer, and return whether it is what is stored now."""
        stored = self.friends.get(given.player_id)
        if stored is None or given.friends_version > stored.friends_version:
            self.friends[given.player_id] = given
        now = self.friends[given.player_id]
        return (set(now.friend_ids), now.friends_version) == (
            set(given.friend_ids),
            given.friends_version,
        )

    def region_of(self, player_id: str) -> str | None:
        """Return the region of a player's profile, if the season has it."""
        profile = self.profiles.get(player_id)
        return profile.region if profile and profile.region in self.kind.regions else None

    def _move(self, player_id: str) -> list[Change]:
        player, region = self.players.get(player_id), self.region_of(player_id)
        stays = self.final or self.grace_is_over
        if player is None or not player.changes or stays or player.region == region:
            return []
        return [player.move(region, self.epoch)]

    def _touched(self, player_id: str) -> Player:
        """Return a player who has a best from now on, in the region of the profile."""
        player = self.player(player_id)
        if not player.changes:
            player.region = self.region_of(player_id)
        return player

    def _count_own(self, player_id: str, event: Counted, held_version: int | None) -> int | None:
        change = self._touched(player_id).count_own(event, held_version, self.epoch)
        self._tally([change])
        return change.scores[1]

    def _require_voidable(self, correction: Correction) -> None:
        if correction.kind != "void":
            return
        content, _ = self.known.get(correction.void_event_id or "", (None, None))
        if content is None or content.player_id != correction.player_id:
            raise ValidationFailed([])
        if isinstance(content, Correction) and content.kind == "void":
            raise ValidationFailed([])

    def _take(self, events: Sequence[Event], moved_to: Mapping[str, str]) -> None:
        """Fold what is in time, by version, and record what is not."""
        untimely = {event: outcome for event in events if (outcome := self._untimely(event))}
        timely = [event for event in events if event not in untimely]
        changes = [self._result(event) for event in sorted(timely, key=_version)]
        for event, outcome in untimely.items():
            to = moved_to.get(event.event_id)
            receipt = self._stored("late_moved" if to else outcome, event)
            self._know(event, receipt._replace(moved_to=to))
        self._tally([*changes, *(None for _ in untimely)])

    def _untimely(self, event: Event) -> str | None:
        if event.completed_at < self.starts_at:
            return "before_start"
        is_after = self.cutoff_at is not None and event.completed_at >= self.cutoff_at
        if is_after or self.grace_is_over:
            return "late_held" if self.kind.late_policy == "review" else "late_rejected"
        return None

    def _result(self, event: Event) -> Change | None:
        if event.score_version <= self.player(event.player_id).version:
            self._know(event, self._stored("stale_version", event))
            return None
        player = self._touched(event.player_id)
        old = player.state.best
        counted = Counted(event.event_id, "result", event.best_score, at=event.completed_at)
        change = player.count(counted, event.score_version, self.epoch)
        best = player.state.best
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
        player = self.players.get(content.player_id, Player(content.player_id, self.kind))
        return Receipt(
            content.event_id,
            content.player_id,
            outcome,
            replayed=False,
            best_score=player.state.best,
            score_version=player.version or None,
            visible_in_version=None,
        )

    def _tally(self, changes: Iterable[Change | None]) -> None:
        every = list(changes)
        seen = [change.scores for change in every if change is not None and change.visible]
        if every:
            self.batches.append(
                Batch(
                    self.epoch,
                    len(every),
                    len(seen),
                    sum(old is None for old, _ in seen),
                    sum(new is None for _, new in seen),
                    sum((new or 0) - (old or 0) for old, new in seen),
                )
            )


def in_order(board: Mapping[str, Standing], order: str = "desc") -> list[Row]:
    """
    Return the rows of a board: best first, equal ones by time if that counts, ties by player.

    A rank is 1 + how many are better.
    """
    best_first = 1 if order == "asc" else -1
    keys = {name: (best_first * one.score, one.tie_key) for name, one in board.items()}
    return [
        Row(1 + sum(other < key for other in keys.values()), name, *board[name][:2])
        for key, name in sorted((key, name) for name, key in keys.items())
    ]


def display_order(board: Board) -> list[tuple[int, str, int]]:
    """Return (rank, player, score) of a whole board on which ties are shared."""
    return [row[:3] for row in in_order({name: Standing(score) for name, score in board.items()})]


def _counted(correction: Correction) -> Counted:
    return Counted(
        correction.event_id,
        correction.kind,
        correction.corrected_score,
        correction.void_event_id,
        correction.achieved_at,
        correction.keeps_time,
    )


def _version(event: Event) -> int:
    return event.score_version
