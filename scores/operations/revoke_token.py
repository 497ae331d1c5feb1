"""Take a service's token away."""

from config import db

REVOKE_TOKEN = db.statement(__file__, "revoke_token")


def revoke_token(name: str) -> bool:
    """Refuse a token from the next request on; return whether there is one of this name."""
    return db.execute(REVOKE_TOKEN, name=name) == 1
