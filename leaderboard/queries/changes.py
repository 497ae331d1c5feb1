"""The change stream: the ledger's published changes, in order of version."""

from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import CursorExpired
from leaderboard.queries.published import Published

CHANGES = db.statement(__file__, "changes")
OLDEST_PUBLICATION = db.statement(__file__, "oldest_publication")

FIRST_VERSION = 1
END_OF_VERSION = 2**63 - 1


class Position(NamedTuple):
    """A place in the stream: after a ledger row, or after all rows up to a version."""

    epoch: int = 0
    id: int = 0


class ChangeRow(NamedTuple):
    """One published change; no old score: entered; no new score: left."""

    epoch: int
    id: int
    player_id: str
    old_score: int | None
    new_score: int | None
    score_version: int
    event_id: str
    kind: str
    region: int | None
    accepted_at: datetime
    version: int


class Changes(NamedTuple):
    """Some changes, and the position after them: never the end, only the end so far."""

    rows: list[ChangeRow]
    next: Position


def changes(
    season: Published,
    after: Position,
    *,
    limit: int,
    partition: int = 0,
    partitions: int = 1,
    using: str = "reads",
) -> Changes:
    """
    Return the changes after a position, complete up to the current version.

    Raises CursorExpired if the numbers of the versions after it are no longer kept: whoever
    follows the stream then reads the board and goes on from `end_of` that version.
    """
    rows = db.fetch_all(
        ChangeRow,
        CHANGES.literal(season_id=season.season_id, namespace=season.ledger_namespace),
        using=using,
        epoch=after.epoch,
        id=after.id,
        current=season.current,
        limit=limit,
        partition=partition,
        partitions=partitions,
    )
    _require_kept(season, after, using)
    if len(rows) == limit:
        return Changes(rows, Position(rows[-1].epoch, rows[-1].id))
    return Changes(rows, max(after, end_of(season.current)))


def end_of(version: int) -> Position:
    """Return the position after all changes up to a version."""
    return Position(version, END_OF_VERSION)


def _require_kept(season: Published, after: Position, using: str) -> None:
    # Asked after the rows were read: what was purged meanwhile is then noticed.
    oldest = db.fetch_one(
        lambda number: number, OLDEST_PUBLICATION.literal(season_id=season.season_id), using=using
    )
    if oldest is not None and oldest != FIRST_VERSION and after.epoch < oldest:
        raise CursorExpired
