"""How a player's events fold to a best: plain functions that the SQL is tested against."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from seasons.rules import ScoreRange

MATCH_SERVICE = 0
OUR_OWN = 1

RESULT = "result"
CORRECTION = "correction"
VOID = "void"
RELEASE = "release"
REFUSAL = "refusal"
REGION = "region"

LATEST = "latest"
EARLIEST = "earliest"

IMPROVED = "improved"
NOT_IMPROVED = "not_improved"
STALE_VERSION = "stale_version"
CORRECTED = "corrected"
CONFLICT = "conflict"
STORED = "stored"
BEFORE_START = "before_start"
LATE_REJECTED = "late_rejected"
LATE_HELD = "late_held"
LATE_MOVED = "late_moved"

NEXT = "next"
REVIEW = "review"

# A late result that goes to no other season is rejected.
_OUTCOME_OF_LATE = {"reject": LATE_REJECTED, REVIEW: LATE_HELD, NEXT: LATE_REJECTED}

MOST_EVENTS_OF_A_PLAYER = 100

# The tie key of a score that has no time: it stands behind all that have one.
NO_TIME = 2**62
_EPOCH_OF_TIMES = datetime(1970, 1, 1, tzinfo=UTC)


class Event(NamedTuple):
    """A result as the match service sends it; `display` is JSON that entries show."""

    event_id: str
    match_id: str
    player_id: str
    best_score: int
    score_version: int
    completed_at: datetime
    display: str | None = None

    @property
    def members(self) -> dict[str, Any]:
        """Return the members that a match service sends."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    def turned(self, scores: ScoreRange) -> "Event":
        """Return the result with its merit in place of its score, or the reverse."""
        if not scores.mirrored:
            return self
        return self._replace(best_score=scores.turned(self.best_score))


class Correction(NamedTuple):
    """A change by decision: a new score, a removal, or one event taken out."""

    event_id: str
    player_id: str
    kind: Literal["set", "remove", "void"]
    score_version: int
    reason: str
    evidence: str
    approved_by: str
    corrected_score: int | None = None
    corrects_event_id: str | None = None
    void_event_id: str | None = None
    keeps_time: bool = True
    achieved_at: datetime | None = None

    def turned(self, scores: ScoreRange) -> "Correction":
        """Return the correction with its merit in place of its score, or the reverse."""
        return self._replace(corrected_score=scores.turned(self.corrected_score))


class Receipt(NamedTuple):
    """
    What became of an event; `best_score` and `score_version` are as stored after it.

    `moved_to` is the season that a late result went to.
    """

    event_id: str
    player_id: str
    outcome: str
    replayed: bool
    best_score: int | None
    score_version: int | None
    visible_in_version: int | None
    moved_to: str | None = None

    def turned(self, scores: ScoreRange) -> "Receipt":
        """Return the receipt with a score in place of its merit, or the reverse."""
        if not scores.mirrored:
            return self
        return self._replace(best_score=scores.turned(self.best_score))


class Profile(NamedTuple):
    """What a trusted service says of a player; without a region: on global boards only."""

    player_id: str
    region: str | None
    profile_version: int


class FriendList(NamedTuple):
    """What a trusted service says of a player's friends: each once, the player left out."""

    player_id: str
    friend_ids: list[str]
    friends_version: int


class Fold(NamedTuple):
    """The state that a player's events fold to."""

    score: int | None = None
    achieved_at: datetime | None = None
    removed: bool = False

    @property
    def shown(self) -> int | None:
        """Return the score on the boards; none while the player is removed."""
        return None if self.removed else self.score


class FoldedEvent(NamedTuple):
    """What the fold needs to know of a ledger row."""

    event_id: str
    kind: str
    score: int | None
    completed_at: datetime | None = None
    achieved_at: datetime | None = None
    keeps_time: bool = True
    void_event_id: str | None = None
    score_version: int = 0
    revision: int = 0
    change_no: int = 0

    @property
    def order(self) -> tuple[int, int, int]:
        """Return where the event stands in the fold."""
        return self.score_version, self.revision, self.change_no


def tie_key_of(achieved_at: datetime | None, tie_rule: str) -> int:
    """
    Return what orders equal scores, lowest first, of a score that was achieved at a time.

    Shared ties all have 0; for `earliest` it is the microseconds since 1970.
    """
    if tie_rule == "shared":
        return 0
    if achieved_at is None:
        return NO_TIME
    return (achieved_at - _EPOCH_OF_TIMES) // timedelta(microseconds=1)


def time_of(tie_key: int) -> datetime | None:
    """Return the time that a tie key of `earliest` stands for; none for NO_TIME."""
    return None if tie_key == NO_TIME else _EPOCH_OF_TIMES + timedelta(microseconds=tie_key)


def shown_tie_key(state: Fold, tie_rule: str) -> int:
    """Return what orders the score that is shown among equal ones; 0 if none is."""
    return 0 if state.shown is None else tie_key_of(state.achieved_at, tie_rule)


def hidden_tie_key(state: Fold, tie_rule: str) -> int | None:
    """Return what will order the score of a removed player who returns; none of no score."""
    is_hidden = state.removed and state.score is not None
    return tie_key_of(state.achieved_at, tie_rule) if is_hidden else None


def with_result(
    state: Fold, *, score: int, completed_at: datetime | None, keep: str = "best"
) -> Fold:
    """
    Return the state after a result, which changes the score or leaves it and its time.

    To keep the best, a higher score replaces it; to keep the latest, any other one.
    """
    if score == state.score:
        return state
    if keep == "best" and state.score is not None and score < state.score:
        return state
    return state._replace(score=score, achieved_at=completed_at)


def with_correction(
    state: Fold, *, score: int | None, keeps_time: bool, achieved_at: datetime | None
) -> Fold:
    """Return the state after a correction: a number sets the score, null removes the player."""
    if score is None:
        return state._replace(removed=True)
    return Fold(score, state.achieved_at if keeps_time else achieved_at)


def fold(events: Iterable[FoldedEvent], keep: str = "best") -> Fold:
    """
    Return the state that remains of a player's events: in order of (version, revision).

    Voided events are left out, wherever their void stands; a void does nothing else. Of a
    held result that was let in, its release stands for it.
    """
    events = sorted(events, key=lambda event: event.order)
    voided = {event.void_event_id for event in events if event.kind == VOID}
    state = Fold()
    for event in events:
        if event.event_id in voided or event.kind == VOID:
            continue
        state = _folded(state, event, keep)
    return state


def states(events: Sequence[FoldedEvent], keep: str = "best") -> list[Fold]:
    """
    Return what a player's events had folded to after each, in the order of their application.

    Nearly always the next one is the newest: only a void, or an event that others stand
    after, has all folded anew.
    """
    found: list[Fold] = []
    highest, voided = (-1, -1, -1), set[str | None]()
    for number, event in enumerate(events, 1):
        is_next = event.order > highest and event.kind != VOID and event.event_id not in voided
        before = found[-1] if found else Fold()
        after = _folded(before, event, keep) if is_next else fold(events[:number], keep)
        found.append(after)
        highest = max(highest, event.order)
        if event.kind == VOID:
            voided.add(event.void_event_id)
    return found


def outcome_of_untimely(timeliness: str, late_policy: str, moved_to: str | None = None) -> str:
    """Return the outcome of a result that does not count, by the season's policy."""
    if moved_to is not None:
        return LATE_MOVED
    return BEFORE_START if timeliness == "before_start" else _OUTCOME_OF_LATE[late_policy]


def friend_list(player_id: str, named: Iterable[str], friends_version: int) -> FriendList:
    """Return the list of the friends named, in the order in which they are named first."""
    friends = [friend for friend in dict.fromkeys(named) if friend != player_id]
    return FriendList(player_id, friends, friends_version)


def newest_profiles(profiles: Iterable[Profile]) -> list[Profile]:
    """Return the newest profile of each player, of equally new ones the first; by player."""
    newest: dict[str, Profile] = {}
    for profile in profiles:
        known = newest.get(profile.player_id)
        if known is None or profile.profile_version > known.profile_version:
            newest[profile.player_id] = profile
    return [newest[player_id] for player_id in sorted(newest)]


def rounds(events: Sequence[Event]) -> list[list[Event]]:
    """
    Return the events so that no player occurs twice in a round.

    A player's events count in order of their version, equal ones in the order given; each
    round is in order of players, so that two batches never wait for each other in a circle.
    """
    if len({event.player_id for event in events}) == len(events):
        return [sorted(events, key=_player)] if events else []
    per_player: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        per_player[event.player_id].append(event)
    for own in per_player.values():
        if len(own) > 1:
            own.sort(key=_version)
    players = sorted(per_player)
    longest = max(map(len, per_player.values()), default=0)
    return [
        [per_player[player][turn] for player in players if turn < len(per_player[player])]
        for turn in range(longest)
    ]


def _folded(state: Fold, event: FoldedEvent, keep: str) -> Fold:
    if event.kind in {RESULT, RELEASE}:
        assert event.score is not None
        completed_at = event.completed_at
        return with_result(state, score=event.score, completed_at=completed_at, keep=keep)
    return with_correction(
        state,
        score=event.score,
        keeps_time=event.keeps_time,
        achieved_at=event.achieved_at,
    )


_version = attrgetter("score_version")
_player = attrgetter("player_id")
