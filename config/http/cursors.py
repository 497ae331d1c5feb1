"""Cursors: a place that a client hands back, opaque and signed, for one purpose only."""

import base64
import binascii
import hashlib
import hmac
from typing import TypeVar

import msgspec
from django.conf import settings

from config.errors import InvalidCursor

_MARK_BYTES = 12
_LONGEST = 1_000

Place = TypeVar("Place")


def seal(purpose: str, place: object) -> str:
    """Return the cursor for a place; `purpose` says which walk it belongs to."""
    packed = msgspec.msgpack.encode(place)
    return _text(_mark(purpose, packed) + packed)


def unseal(purpose: str, cursor: str, place: type[Place]) -> Place:
    """Return the place that `seal` put in; raise InvalidCursor for any other text."""
    try:
        sealed = base64.b64decode(_padded(cursor), altchars=b"-_", validate=True)
        mark, packed = sealed[:_MARK_BYTES], sealed[_MARK_BYTES:]
        if not hmac.compare_digest(mark, _mark(purpose, packed)) or _text(sealed) != cursor:
            raise InvalidCursor
        return msgspec.msgpack.decode(packed, type=place)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        raise InvalidCursor from None


def _text(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def _padded(cursor: str) -> bytes:
    if len(cursor) > _LONGEST:
        raise InvalidCursor
    return cursor.encode("ascii") + b"=" * (-len(cursor) % 4)


def _mark(purpose: str, packed: bytes) -> bytes:
    key = hashlib.blake2b(settings.SECRET_KEY.encode()).digest()
    message = purpose.encode() + b"\0" + packed
    return hashlib.blake2b(message, key=key, digest_size=_MARK_BYTES).digest()
