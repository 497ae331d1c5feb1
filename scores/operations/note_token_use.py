"""Remember when a service's token was used last."""

import contextlib

from config import db

NOTE_TOKEN_USE = db.statement(__file__, "note_token_use")


def note_token_use(token_id: int) -> None:
    """Note the use, at most once a minute; what hinders that does not hinder the caller."""
    with contextlib.suppress(*db.LOST):
        db.execute(NOTE_TOKEN_USE, token_id=token_id)
