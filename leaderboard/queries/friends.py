"""The ranks of a player and of the player's friends at one version."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion
from leaderboard.queries.published import Published
from leaderboard.queries.ranking import ranking_players
from leaderboard.queries.window import Entry, Header

FRIENDS = ranking_players(db.statement(__file__, "friends"))


class FoundFriends(NamedTuple):
    """Those of them that are on the board, in display order, and who is not, by id."""

    header: Header
    friends_version: int | None
    entries: list[Entry]
    missing: list[str]


class FriendRow(NamedTuple):
    """A row of the statement: the version, the list, and one of its players."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    boards_present: bool
    friends_version: int | None
    player_id: str
    score: int | None
    tie_key: int | None
    rank: int | None

    @property
    def entry(self) -> Entry:
        """Return the player's entry; NoPublishedVersion if what it is counted from is lost."""
        if self.rank is None or self.score is None or self.tie_key is None:
            raise NoPublishedVersion
        return Entry(self.rank, self.player_id, self.score, self.tie_key)


def friends(
    season: Published, player_id: str, *, version: int, board: int = 0, using: str = "reads"
) -> FoundFriends | None:
    """
    Return the entries of a player and of the friends that are stored now, in one statement.

    Without a friend list that is the player alone. None if the version is gone; raises
    NoPublishedVersion while the bests or the buckets are lost.
    """
    rows = db.fetch_all(
        FriendRow,
        FRIENDS.on(season, board),
        using=using,
        player_id=player_id,
        version=version,
    )
    return _found(rows) if rows else None


def _found(rows: Sequence[FriendRow]) -> FoundFriends:
    if not rows[0].boards_present:
        raise NoPublishedVersion
    return FoundFriends(
        Header(*rows[0][:4]),
        rows[0].friends_version,
        [row.entry for row in rows if row.score is not None],
        sorted(row.player_id for row in rows if row.score is None),
    )
