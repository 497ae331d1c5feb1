"""Whether a service token is valid, and what it may do."""

import hashlib
from typing import NamedTuple

from config import db

VALID_TOKEN = db.statement(__file__, "valid_token")


class ValidToken(NamedTuple):
    """A token that was neither revoked nor has expired."""

    id: int
    scopes: list[str]
    use_is_due: bool


def token_hash(token: str) -> str:
    """Return what is stored of a token; it is random, so no salt and no slow hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def valid_token(token: str) -> ValidToken | None:
    """Return a token's row by the text that the client shows, None unless it is valid now."""
    return db.fetch_one(ValidToken, VALID_TOKEN, token_hash=token_hash(token))
