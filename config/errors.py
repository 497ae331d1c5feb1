"""
Every refusal that Laurel can answer with: a fact, its code, its message.

The docstring of a refusal is the message that people read, `code` the one for machines.
The HTTP status of each code stands in one table, in `config.problems`.
"""

import inspect
from typing import Any, ClassVar, NamedTuple


class Fault(NamedTuple):
    """One thing wrong with a request body: where (a JSON pointer), what, and why."""

    pointer: str
    code: str
    detail: str


class Refusal(Exception):
    """The request was refused."""

    code: ClassVar[str] = "refused"

    def __init__(self, detail: str | None = None, **members: Any) -> None:
        """Take a more precise message than the docstring, and members to show beside it."""
        self.detail = detail or inspect.cleandoc(type(self).__doc__ or "")
        self.members = members
        super().__init__(self.detail)


class InvalidParameter(Refusal):
    """A parameter of the path or the query is not valid."""

    code = "invalid_parameter"


class MalformedJson(Refusal):
    """The body is not JSON."""

    code = "malformed_json"


class InvalidCursor(Refusal):
    """The cursor was not made for what is asked here: this list, season, region, partition."""

    code = "invalid_cursor"


class NotAuthenticated(Refusal):
    """A valid service token is needed: `Authorization: Bearer TOKEN`."""

    code = "not_authenticated"


class Forbidden(Refusal):
    """The token does not have the scope that this route needs."""

    code = "forbidden"


class NotFound(Refusal):
    """There is nothing at this address."""

    code = "not_found"


class SeasonNotFound(Refusal):
    """There is no season with this id."""

    code = "season_not_found"


class SeriesNotFound(Refusal):
    """There is no series with this id."""

    code = "series_not_found"


class PlayerNotRanked(Refusal):
    """The player is not on this board at this version."""

    code = "player_not_ranked"


class VersionUnknown(Refusal):
    """The version has not been published."""

    code = "version_unknown"


class RegionNotFound(Refusal):
    """The season has no such region."""

    code = "region_not_found"


class MethodNotAllowed(Refusal):
    """The address does not take this method."""

    code = "method_not_allowed"


class NotAcceptable(Refusal):
    """Replies are JSON; the Accept header excludes it."""

    code = "not_acceptable"


class EventConflict(Refusal):
    """An event with this id and other content is already in the ledger."""

    code = "event_conflict"


class SeasonNotOpen(Refusal):
    """The season is not open yet."""

    code = "season_not_open"


class SeasonFinal(Refusal):
    """The season is final and takes no more results."""

    code = "season_final"


class WrongState(Refusal):
    """The season is not in the state that this needs."""

    code = "wrong_state"


class HeldResultDecided(Refusal):
    """Somebody has decided on this held result already."""

    code = "held_result_decided"


class SeasonExists(Refusal):
    """There is a season with this id already."""

    code = "season_exists"


class SeriesExists(Refusal):
    """There is a series with this id already."""

    code = "series_exists"


class SeriesEnded(Refusal):
    """The series has ended: no window begins any more."""

    code = "series_ended"


class RequestDecided(Refusal):
    """The request has been decided on already."""

    code = "request_decided"


class AnotherPersonNeeded(Refusal):
    """A correction must be approved by another person than the one who asked for it."""

    code = "another_person_needed"


class ProfileConflict(Refusal):
    """The player has a profile of an equal or newer version with other content."""

    code = "profile_conflict"


class FriendsConflict(Refusal):
    """The player has a friend list of an equal or newer version with other friends."""

    code = "friends_conflict"


class SettlementConflict(Refusal):
    """The settlement does not agree with what is on record."""

    code = "settlement_conflict"


class NotFinal(Refusal):
    """The season is not final yet."""

    code = "not_final"


class NotPublishedYet(Refusal):
    """The version asked for is not published yet."""

    code = "not_published_yet"


class VersionExpired(Refusal):
    """The version can no longer be read."""

    code = "version_expired"


class CursorExpired(Refusal):
    """The changes after this cursor have been purged: read the board and go on from there."""

    code = "cursor_expired"


class SeasonRetired(Refusal):
    """The season is gone: it was kept as long as the rule of its series says, or never began."""

    code = "season_retired"


class PayloadTooLarge(Refusal):
    """A body may have at most 2 MiB."""

    code = "payload_too_large"


class UnsupportedMediaType(Refusal):
    """The body must be sent as application/json, in UTF-8, and not compressed."""

    code = "unsupported_media_type"


class ValidationFailed(Refusal):
    """The body has faults; nothing was changed."""

    code = "validation_failed"

    def __init__(self, faults: list[Fault]) -> None:
        """Take all the faults of the body at once."""
        super().__init__()
        self.faults = faults


class NoPublishedVersion(Refusal):
    """The season has no published version at the moment."""

    code = "no_published_version"


class Unavailable(Refusal):
    """The service cannot do this at the moment; try again shortly."""

    code = "unavailable"
