"""Walking a board page by page: where a page begins, and the cursors on either side."""

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

from django.http import QueryDict

from config.errors import InvalidCursor, InvalidParameter
from config.http import parameters
from config.http.cursors import seal, unseal
from leaderboard.api.asked import Asked, Sight
from leaderboard.api.known import KNOWN
from leaderboard.api.rank import not_ranked
from leaderboard.queries.neighbours import players_around
from leaderboard.queries.window import (
    Entry,
    Header,
    Place,
    players_after,
    players_before,
)

HIGHEST_SCORE = 1_000_000_000
_TOP = Place(2**31)
_BOTTOM = Place(-1)


class Cursor(NamedTuple):
    """What stands on one side of a place; `position` counts to the place, if it is known."""

    version: int
    way: Literal["after", "before"]
    place: Place
    position: int | None


class Opened(NamedTuple):
    """A page, the position of its first entry if it is known, and whether others follow."""

    header: Header
    entries: list[Entry]
    first: int | None
    more_before: bool
    more_after: bool


Start = Callable[[Sight, int], Opened | None]


def start_of(query: QueryDict) -> tuple[Start, str | None]:
    """Return how a page is opened, and the cursor if it goes on from one."""
    given = {
        name: text
        for name in ("cursor", "around_player", "at_score")
        if (text := parameters.single(query, name)) is not None
    }
    if len(given) > 1:
        raise InvalidParameter(f"Only one of {', '.join(given)} can be given.")
    if "around_player" in given:
        player = parameters.identifier("around_player", given["around_player"])
        return partial(_around, player), None
    if "at_score" in given:
        score = parameters.plain_integer("at_score", given["at_score"], 0, HIGHEST_SCORE)
        return partial(_at_score, score), None
    return from_top, given.get("cursor")


def from_top(sight: Sight, limit: int) -> Opened | None:
    """Open the first page of a board."""
    return _after(sight, _TOP, 0, limit)


def opened_cursor(question: Asked, text: str) -> tuple[Asked, Cursor]:
    """Return the cursor, and the question pinned to its version; else InvalidCursor."""
    cursor = unseal(_purpose(question.slug, question.region), text, Cursor)
    if cursor.version != _pinned(question, cursor.version):
        raise InvalidCursor("The cursor belongs to another version.")
    return question._replace(version=cursor.version), cursor


def continued(cursor: Cursor, sight: Sight, limit: int) -> Opened | None:
    """Open the page that a cursor leads to."""
    if cursor.way == "after":
        return _after(sight, cursor.place, cursor.position, limit)
    return _before(sight, cursor.place, cursor.position, limit)


def relocated(question: Asked, cursor: Cursor, version: int) -> str:
    """Return the cursor of the same place at another version."""
    moved = cursor._replace(version=version, position=None)
    return seal(_purpose(question.slug, question.region), moved)


def next_of(sight: Sight, page: Opened) -> str | None:
    """Return the cursor of the page after; from the top if nothing stood before a place."""
    if page.more_after and page.entries:
        last = None if page.first is None else page.first + len(page.entries) - 1
        return _sealed(sight, "after", _place(page.entries[-1]), last)
    return _sealed(sight, "after", _TOP, 0) if page.more_after else None


def previous_of(sight: Sight, page: Opened) -> str | None:
    """Return the cursor of the page before; from the bottom if nothing stood after a place."""
    if page.more_before and page.entries:
        return _sealed(sight, "before", _place(page.entries[0]), page.first)
    bottom = page.header.members[sight.board] + 1
    return _sealed(sight, "before", _BOTTOM, bottom) if page.more_before else None


def _at_score(score: int, sight: Sight, limit: int) -> Opened | None:
    page = _after(sight, Place(sight.season.scores.turned(score)), None, limit)
    if page is None:
        return None
    # Nobody tied with the first entry stands before it: its rank is its position.
    members = page.header.members[sight.board]
    first = page.entries[0].rank if page.entries else members + 1
    return page._replace(first=first, more_before=first > 1)


def _around(player_id: str, sight: Sight, limit: int) -> Opened | None:
    page = players_around(
        sight.season, player_id, version=sight.version, limit=limit, board=sight.board
    )
    if page is None:
        return None
    if not page.entries:
        raise not_ranked(sight, player_id)
    return Opened(page.header, page.entries, None, page.more_before, page.more_after)


def _after(sight: Sight, place: Place, position: int | None, limit: int) -> Opened | None:
    page = players_after(
        sight.season, place, version=sight.version, limit=limit, board=sight.board
    )
    if page is None:
        return None
    first = None if position is None else position + 1
    anyone = page.header.members[sight.board] > 0
    return Opened(page.header, page.entries, first, position != 0 and anyone, page.more_after)


def _before(sight: Sight, place: Place, position: int | None, limit: int) -> Opened | None:
    page = players_before(
        sight.season, place, version=sight.version, limit=limit, board=sight.board
    )
    if page is None:
        return None
    first = None if position is None else position - len(page.entries)
    anyone = page.header.members[sight.board] > 0
    more_after = place != _BOTTOM and anyone
    return Opened(page.header, page.entries, first, page.more_before, more_after)


def _sealed(
    sight: Sight, way: Literal["after", "before"], place: Place, position: int | None
) -> str:
    cursor = Cursor(sight.version, way, place, position)
    return seal(_purpose(sight.season.slug, sight.region), cursor)


def _purpose(slug: str, region: str | None) -> str:
    return f"page/{slug}/{region or ''}"


def _pinned(question: Asked, otherwise: int) -> int | None:
    if question.version == "final":
        return KNOWN.season(question.slug).final_version
    return otherwise if question.version is None else question.version


def _place(entry: Entry) -> Place:
    return Place(entry.score, entry.tie_key, entry.player_id)
