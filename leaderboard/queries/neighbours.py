"""The players around one: by a short statement where that has the answer, else by a long one."""

from typing import NamedTuple, TypeVar

from config import db
from leaderboard import rules
from leaderboard.queries.published import Published
from leaderboard.queries.ranking import begun_at_a_player, ranking_the_highest
from leaderboard.queries.window import Entry, Header, Page, WindowRow, ranked

NEIGHBOURS = ranking_the_highest(db.statement(__file__, "neighbours"))
NEIGHBOURS_UNLESS_CHANGED = begun_at_a_player(db.statement(__file__, "neighbours_unless_changed"))

Value = TypeVar("Value")


class Neighbours(NamedTuple):
    """A player and the rows on either side, best first; no player: not on the board."""

    header: Header
    above: list[Entry]
    player: Entry | None
    below: list[Entry]


class Unchanged(NamedTuple):
    """The row of the short statement: the player's key, and others' on either side of it."""

    score: int
    tie_key: int
    ids_above: list[str] | None
    scores_above: list[int] | None
    tie_keys_above: list[int] | None
    ids_below: list[str] | None
    scores_below: list[int] | None
    tie_keys_below: list[int] | None
    rank_of_first: int | None
    tied_with_first: int | None

    def entries(self, player_id: str) -> list[Entry]:
        """Return the entries of all of them, best first; none if no rank was found."""
        if self.rank_of_first is None or self.tied_with_first is None:
            return []
        ids = _best_first(self.ids_above, player_id, self.ids_below)
        scores = _best_first(self.scores_above, self.score, self.scores_below)
        tie_keys = _best_first(self.tie_keys_above, self.tie_key, self.tie_keys_below)
        ranks = rules.ranks_in_window(
            list(zip(scores, tie_keys, strict=True)),
            rank_of_first=self.rank_of_first,
            tied_with_first=self.tied_with_first,
        )
        return list(map(Entry, ranks, ids, scores, tie_keys))


def neighbours(
    season: Published,
    player_id: str,
    *,
    version: int,
    radius: int,
    board: int = 0,
    using: str = "reads",
) -> Neighbours | None:
    """
    Return up to `radius` rows above and below a player; None if the version is gone.

    A short statement has the answer for players around whom nothing has changed since the
    current version, which are nearly all. Raises NoPublishedVersion while the bests or the
    buckets are lost.
    """
    if version == season.number:
        unchanged = _neighbours_unless_changed(season, player_id, radius, board, using)
        if unchanged is not None:
            return unchanged
    rows = db.fetch_all(
        WindowRow,
        NEIGHBOURS.on(season, board),
        using=using,
        player_id=player_id,
        version=version,
        radius=radius,
    )
    return _around(*ranked(rows), player_id) if rows else None


def players_around(
    season: Published,
    player_id: str,
    *,
    version: int,
    limit: int,
    board: int = 0,
    using: str = "reads",
) -> Page | None:
    """
    Return a page with the player in its middle, or nearer to an end of the board.

    None if the version is gone; a page without entries if the player is not on the board.
    """
    found = neighbours(season, player_id, version=version, radius=limit, board=board, using=using)
    if found is None or found.player is None:
        return found and Page(found.header, [], more_before=False, more_after=False)
    everyone = [*found.above, found.player, *found.below]
    first = max(0, min(len(found.above) - limit // 2, len(everyone) - limit))
    last = first + limit
    return Page(found.header, everyone[first:last], first > 0, last < len(everyone))


def _neighbours_unless_changed(
    season: Published, player_id: str, radius: int, board: int, using: str
) -> Neighbours | None:
    found = db.fetch_one(
        Unchanged,
        NEIGHBOURS_UNLESS_CHANGED.on(season, board),
        using=using,
        player_id=player_id,
        version=season.current,
        radius=radius,
    )
    entries = found.entries(player_id) if found else []
    header = Header._make((season.current, season.sealed_at, None, season.members))
    return _around(header, entries, player_id) if entries else None


def _best_first(above: list[Value] | None, own: Value, below: list[Value] | None) -> list[Value]:
    return [*reversed(above or []), own, *(below or [])]


def _around(header: Header, entries: list[Entry], player_id: str) -> Neighbours:
    own = next((i for i, entry in enumerate(entries) if entry.player_id == player_id), None)
    if own is None:
        return Neighbours(header, [], None, [])
    return Neighbours(header, entries[:own], entries[own], entries[own + 1 :])
