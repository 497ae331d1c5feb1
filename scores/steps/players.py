"""What is kept of players whatever the season: how it is written."""

from collections.abc import Iterator
from contextlib import contextmanager

from config import db

OPEN_PLAYERS = db.statement(__file__, "open_players")


@contextmanager
def write_players() -> Iterator[None]:
    """Run the block in a transaction whose waits for other writers are bounded."""
    with db.transaction_opened_by(OPEN_PLAYERS):
        yield
