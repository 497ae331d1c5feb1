"""What services send: the members of each body, and what is made of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, MsgspecError, Struct, UnsetType

from config.errors import Fault, MalformedJson, ValidationFailed
from config.http.bodies import Form, plain_json
from config.http.fields import (
    Display,
    FriendsVersion,
    Identifier,
    ProfileVersion,
    Region,
    Score,
    ScoreVersion,
    ShortText,
    Text500,
    Text2000,
    Time,
    display_text,
)
from config.http.times import read_time
from scores.rules import (
    MOST_EVENTS_OF_A_PLAYER,
    Correction,
    Event,
    FriendList,
    Profile,
    friend_list,
)
from seasons.rules import ScoreRange

MOST_EVENTS = 1_000
MOST_PROFILES = 1_000
MOST_FRIENDS = 500


class EventBody(Struct, forbid_unknown_fields=True, gc=False):
    """A result of a player in a match."""

    event_id: Identifier
    match_id: Identifier
    player_id: Identifier
    best_score: Score
    score_version: ScoreVersion
    completed_at: Time
    display: Display | UnsetType = UNSET


class PlayerOfEvent(Struct, gc=False):
    """Of a result only whose it is."""

    player_id: str = ""


class BatchBody(Struct, forbid_unknown_fields=True):
    """Results that are accepted or refused together."""

    events: Annotated[list[EventBody], Meta(min_length=1, max_length=MOST_EVENTS)]


class CorrectionBody(Struct, forbid_unknown_fields=True, kw_only=True):
    """A score set by decision, a removal (null), or an event taken out (`void_event_id`)."""

    event_id: Identifier
    player_id: Identifier
    score_version: ScoreVersion
    reason: Text500
    evidence: Text2000
    approved_by: ShortText
    corrected_score: Score | UnsetType | None = UNSET
    void_event_id: Identifier | UnsetType = UNSET
    corrects_event_id: Identifier | UnsetType = UNSET
    achieved_at: Time | UnsetType | None = UNSET


class ProfileBody(Struct, forbid_unknown_fields=True):
    """What a player's profile says; without a region (null): on global boards only."""

    region: Region | None
    profile_version: ProfileVersion


class ProfileOfPlayerBody(Struct, forbid_unknown_fields=True, gc=False):
    """A profile, and whose it is."""

    player_id: Identifier
    region: Region | None
    profile_version: ProfileVersion


class ProfilesBody(Struct, forbid_unknown_fields=True):
    """Profiles that are stored or refused together."""

    profiles: Annotated[list[ProfileOfPlayerBody], Meta(min_length=1, max_length=MOST_PROFILES)]


class FriendsBody(Struct, forbid_unknown_fields=True):
    """A player's friends; one named twice counts once, and the player's own id not at all."""

    friend_ids: Annotated[list[Identifier], Meta(max_length=MOST_FRIENDS)]
    friends_version: FriendsVersion


class Results(NamedTuple):
    """Results as they were sent: one alone, or a batch."""

    events: list[Event]
    alone: bool

    @contextmanager
    def refused_in_body(self) -> Iterator[None]:
        """Let the block refuse the list, and tell its faults as faults of the body."""
        try:
            yield
        except ValidationFailed as refusal:
            raise ValidationFailed(self._in_body(refusal.faults)) from None

    def _in_body(self, faults: list[Fault]) -> list[Fault]:
        # Of the list, such as `/3/best_score`, to the body.
        if self.alone:
            return [fault._replace(pointer=fault.pointer.removeprefix("/0")) for fault in faults]
        return [fault._replace(pointer=f"/events{fault.pointer}") for fault in faults]


def read_results(body: bytes, score_range: Callable[[], ScoreRange]) -> Results:
    """
    Return the results in a body; raise MalformedJson, or ValidationFailed with all faults.

    The season's range of scores is asked for only if the body has to be looked at closely.
    """
    form = _BATCH if b'"events"' in body else _SINGLE
    quick = form.quick(body)
    if quick is not None:
        return quick
    plain = plain_json(body)
    form = _BATCH if isinstance(plain, dict) and "events" in plain else _SINGLE
    return form.read_plain(plain, lambda: _scores_outside(plain, score_range()))


def read_line(line: bytes) -> Event:
    """Return the result on a line of a file; raise MalformedJson, or ValidationFailed."""
    return _SINGLE.read(line).events[0]


def player_on_line(line: bytes) -> str:
    """Return whose result stands on a line of a file; nothing if that cannot be told."""
    try:
        return _PLAYER.decode(line).player_id
    except (MsgspecError, ValueError, RecursionError):
        pass
    try:
        plain = plain_json(line)
    except MalformedJson:
        return ""
    player_id = plain.get("player_id") if isinstance(plain, dict) else None
    return player_id if isinstance(player_id, str) else ""


def read_correction(body: bytes) -> Correction:
    """Return the correction in a body; raise MalformedJson, or ValidationFailed."""
    return _CORRECTION.read(body)


def read_profile(player_id: str, body: bytes) -> Profile:
    """Return the profile of a player in a body; raise MalformedJson, or ValidationFailed."""
    read = _PROFILE.read(body)
    return Profile(player_id, read.region, read.profile_version)


def read_profiles(body: bytes) -> list[Profile]:
    """Return the profiles in a body; raise MalformedJson, or ValidationFailed."""
    return _PROFILES.read(body)


def read_friends(player_id: str, body: bytes) -> FriendList:
    """Return the friends of a player in a body; raise MalformedJson, or ValidationFailed."""
    read = _FRIENDS.read(body)
    return friend_list(player_id, read.friend_ids, read.friends_version)


def _single(body: EventBody) -> Results:
    return Results([_event(body)], alone=True)


def _batch(body: BatchBody) -> Results:
    events = [_event(event) for event in body.events]
    if len(events) > MOST_EVENTS_OF_A_PLAYER:
        players = Counter(event.player_id for event in events)
        if max(players.values()) > MOST_EVENTS_OF_A_PLAYER:
            raise ValueError("too many events of one player")
    return Results(events, alone=False)


def _event(body: EventBody) -> Event:
    return Event(
        body.event_id,
        body.match_id,
        body.player_id,
        body.best_score,
        body.score_version,
        read_time(body.completed_at),
        None if body.display is UNSET else display_text(body.display),
    )


def _correction(body: CorrectionBody) -> Correction:
    if (body.corrected_score is UNSET) == (body.void_event_id is UNSET):
        raise ValueError("neither a score nor an event to void, or both")
    if body.achieved_at is not UNSET and not isinstance(body.corrected_score, int):
        raise ValueError("a time without a score")
    return Correction(
        body.event_id,
        body.player_id,
        _kind(body),
        body.score_version,
        body.reason,
        body.evidence,
        body.approved_by,
        corrected_score=None if body.corrected_score is UNSET else body.corrected_score,
        corrects_event_id=body.corrects_event_id or None,
        void_event_id=body.void_event_id or None,
        keeps_time=body.achieved_at is UNSET,
        achieved_at=read_time(body.achieved_at) if body.achieved_at else None,
    )


def _profiles(body: ProfilesBody) -> list[Profile]:
    return [Profile(one.player_id, one.region, one.profile_version) for one in body.profiles]


def _kind(body: CorrectionBody) -> Literal["set", "remove", "void"]:
    if body.void_event_id is not UNSET:
        return "void"
    return "remove" if body.corrected_score is None else "set"


def _crowded(plain: dict[str, Any]) -> Iterator[Fault]:
    met: Counter[str] = Counter()
    for index, event in _objects(plain):
        player = event.get("player_id")
        if isinstance(player, str):
            met[player] += 1
            if met[player] == MOST_EVENTS_OF_A_PLAYER + 1:
                detail = f"A batch may have {MOST_EVENTS_OF_A_PLAYER} events of one player."
                yield Fault(f"/events/{index}/player_id", "too_many", detail)


def _at_odds(plain: dict[str, Any]) -> Iterator[Fault]:
    if "corrected_score" not in plain and "void_event_id" not in plain:
        detail = "This member is required, or void_event_id in its place."
        yield Fault("/corrected_score", "missing", detail)
    elif "corrected_score" in plain and "void_event_id" in plain:
        yield Fault("/void_event_id", "exclusive", "It stands in place of corrected_score.")
    if "achieved_at" in plain and plain.get("corrected_score") is None:
        yield Fault("/achieved_at", "exclusive", "It is the time of a corrected score.")


def _scores_outside(plain: object, scores: ScoreRange) -> Iterator[Fault]:
    detail = f"The season's scores are {scores.score_min} to {scores.score_max}."
    for pointer, event in _places(plain):
        score = event.get("best_score")
        if type(score) is int and not scores.score_min <= score <= scores.score_max:
            yield Fault(f"{pointer}/best_score", "out_of_range", detail)


def _places(plain: object) -> list[tuple[str, dict[str, Any]]]:
    if isinstance(plain, dict) and "events" in plain:
        return [(f"/events/{index}", event) for index, event in _objects(plain)]
    return [("", plain)] if isinstance(plain, dict) else []


def _objects(plain: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    events = plain.get("events")
    listed = events if isinstance(events, list) and len(events) <= MOST_EVENTS else []
    return [(index, event) for index, event in enumerate(listed) if isinstance(event, dict)]


_PLAYER = msgspec.json.Decoder(PlayerOfEvent)
_SINGLE = Form(EventBody, _single)
_BATCH = Form(BatchBody, _batch, _crowded)
_CORRECTION = Form(CorrectionBody, _correction, _at_odds)
_PROFILE = Form(ProfileBody, lambda body: body)
_PROFILES = Form(ProfilesBody, _profiles)
_FRIENDS = Form(FriendsBody, lambda body: body)
