"""The ranks of several players at one version."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion
from leaderboard.queries.published import Published
from leaderboard.queries.ranking import ranking_players
from leaderboard.queries.window import Entry, Header

LOOKUP = ranking_players(db.statement(__file__, "lookup"))


class Found(NamedTuple):
    """Those of the players asked for that are on the board, in display order."""

    header: Header
    entries: list[Entry]


class FoundRow(NamedTuple):
    """A row of the statement: the version and one player."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    boards_present: bool
    player_id: str | None
    score: int
    tie_key: int
    rank: int | None


def lookup(
    season: Published,
    player_ids: Sequence[str],
    *,
    version: int,
    board: int = 0,
    using: str = "reads",
) -> Found | None:
    """Return the players' entries at a version in one statement; None if it is gone."""
    rows = db.fetch_all(
        FoundRow,
        LOOKUP.on(season, board),
        using=using,
        player_ids=list(player_ids),
        version=version,
    )
    if not rows:
        return None
    if not rows[0].boards_present:
        raise NoPublishedVersion
    return Found(Header(*rows[0][:4]), [_entry(row) for row in rows if row.player_id is not None])


def _entry(row: FoundRow) -> Entry:
    if row.rank is None or row.player_id is None:
        raise NoPublishedVersion
    return Entry(row.rank, row.player_id, row.score, row.tie_key)
