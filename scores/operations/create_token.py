"""Give a trusted service a token."""

import secrets
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import IntegrityError

from config import db
from config.errors import Fault, ValidationFailed
from scores.models import ServiceToken
from scores.queries.valid_token import token_hash

SCOPES = (
    "scores:apply",
    "scores:correct",
    "players:write",
    "results:read",
    "changes:read",
    "settlements:write",
)
_PREFIX = "laurel_"
_RANDOM_BYTES = 32
_LONGEST_NAME = 64


def create_token(name: str, scopes: Sequence[str], expires_at: datetime | None = None) -> str:
    """
    Store a new token's hash and return its text, which cannot be had again.

    Raises ValidationFailed for a name that is taken or unfit, and for unknown scopes.
    """
    faults = list(_faults(name, scopes))
    if faults:
        raise ValidationFailed(faults)
    token = _PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
    try:
        with db.transact:
            ServiceToken.objects.create(
                name=name,
                token_hash=token_hash(token),
                scopes=sorted(set(scopes)),
                expires_at=expires_at,
            )
    except IntegrityError:
        taken = Fault("/name", "taken", "There is a token of this name.")
        raise ValidationFailed([taken]) from None
    return token


def _faults(name: str, scopes: Sequence[str]) -> Iterator[Fault]:
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        yield Fault("/name", "length", "A name has 1 to 64 printable characters.")
    if not scopes:
        yield Fault("/scopes", "length", "A token needs at least one scope.")
    for index, scope in enumerate(scopes):
        if scope not in SCOPES:
            known = ", ".join(SCOPES)
            yield Fault(f"/scopes/{index}", "unknown_scope", f"The scopes are {known}.")
