"""What is kept of players whatever the season: how it is written."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from config import db
from seasons.queries import SeasonForWrite
from seasons.steps import write_behind_fences

OPEN_PLAYERS = db.statement(__file__, "open_players")


@contextmanager
def write_players() -> Iterator[None]:
    """Run the block in a transaction whose waits for other writers are bounded."""
    with db.transaction_opened_by(OPEN_PLAYERS):
        yield


@contextmanager
def write_players_and_seasons(season_ids: Sequence[int]) -> Iterator[list[SeasonForWrite]]:
    """Run the block in such a transaction, behind the epoch fences of some seasons or of none."""
    if season_ids:
        with write_behind_fences(season_ids) as seasons:
            yield seasons
    else:
        with write_players():
            yield []
