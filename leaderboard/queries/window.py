"""Consecutive players of a board: pages, the top."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion
from leaderboard import rules
from leaderboard.queries.published import Published
from leaderboard.queries.ranking import of_a_board, ranking_the_highest
from leaderboard.rules import LOWEST_TIE_KEY

PLAYERS_AFTER = ranking_the_highest(db.statement(__file__, "players_after"))
PLAYERS_BEFORE = ranking_the_highest(db.statement(__file__, "players_before"))
TOP = of_a_board(db.statement(__file__, "top"))

ABOVE_ALL = -(2**31)


class Header(NamedTuple):
    """The row of the version that a reply is made of."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]


class Entry(NamedTuple):
    """A player on a board at a version."""

    rank: int
    player_id: str
    score: int
    tie_key: int


class Place(NamedTuple):
    """A place of the display order: that of a player, or before all players of a score."""

    score: int
    tie_key: int = LOWEST_TIE_KEY
    player_id: str = ""


class Page(NamedTuple):
    """Consecutive entries, best first, and whether others stand before and after them."""

    header: Header
    entries: list[Entry]
    more_before: bool
    more_after: bool


class Top(NamedTuple):
    """The highest places of a board."""

    header: Header
    entries: list[Entry]


class WindowRow(NamedTuple):
    """A row of a window statement: the version, the highest row's rank, and one player."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    boards_present: bool
    rank_of_first: int | None
    tied_with_first: int | None
    player_id: str | None
    score: int
    tie_key: int


def top(
    season: Published, *, version: int, limit: int, board: int = 0, using: str = "reads"
) -> Top | None:
    """
    Return the first `limit` places, 100 at most, as stored; None if the version is gone.

    Raises NoPublishedVersion while the bests or the buckets are lost.
    """
    found = db.fetch_one(
        _stored_top,
        TOP.literal(namespace=season.namespace),
        using=using,
        version=version,
        board=board,
    )
    return found and found._replace(entries=found.entries[:limit])


def players_after(
    season: Published,
    place: Place | None,
    *,
    version: int,
    limit: int,
    board: int = 0,
    using: str = "reads",
) -> Page | None:
    """
    Return up to `limit` players after a place, from the top without one.

    None if the version is gone. The cost does not depend on how deep the place lies.
    """
    statement = PLAYERS_AFTER.on(season, board)
    rows = _read_page(statement, place, version, limit, using)
    if not rows:
        return None
    header, entries = ranked(rows)
    return Page(header, entries[:limit], place is not None, len(entries) > limit)


def players_before(
    season: Published,
    place: Place,
    *,
    version: int,
    limit: int,
    board: int = 0,
    using: str = "reads",
) -> Page | None:
    """Return up to `limit` players before a place, best first; None if the version is gone."""
    statement = PLAYERS_BEFORE.on(season, board)
    rows = _read_page(statement, place, version, limit, using)
    if not rows:
        return None
    header, entries = ranked(rows)
    return Page(header, entries[-limit:], len(entries) > limit, more_after=True)


def ranked(rows: Sequence[WindowRow]) -> tuple[Header, list[Entry]]:
    """
    Return the version and the entries of a window statement's rows, of which there are some.

    Raises NoPublishedVersion while the bests or the buckets are lost.
    """
    header = Header(*rows[0][:4])
    if not rows[0].boards_present:
        raise NoPublishedVersion
    if rows[0].player_id is None:
        return header, []
    if rows[0].rank_of_first is None or rows[0].tied_with_first is None:
        raise NoPublishedVersion
    ranks = rules.ranks_in_window(
        [(row.score, row.tie_key) for row in rows],
        rank_of_first=rows[0].rank_of_first,
        tied_with_first=rows[0].tied_with_first,
    )
    entries = [
        Entry(rank, row.player_id or "", row.score, row.tie_key)
        for rank, row in zip(ranks, rows, strict=True)
    ]
    return header, entries


def _read_page(
    statement: db.Statement, place: Place | None, version: int, limit: int, using: str
) -> list[WindowRow]:
    return db.fetch_all(
        WindowRow,
        statement,
        using=using,
        version=version,
        limit=limit,
        merit=ABOVE_ALL if place is None else -place.score,
        tie_key=LOWEST_TIE_KEY if place is None else place.tie_key,
        player_id="" if place is None else place.player_id,
    )


def _stored_top(  # noqa: PLR0913
    number: int,
    sealed_at: datetime,
    replaced_at: datetime | None,
    members: list[int],
    boards_present: bool,  # noqa: FBT001
    player_ids: list[str],
    scores: list[int],
    tie_keys: list[int],
    ranks: list[int],
) -> Top:
    if not boards_present:
        raise NoPublishedVersion
    entries = map(Entry, ranks, player_ids, scores, tie_keys)
    return Top(Header(number, sealed_at, replaced_at, members), list(entries))
