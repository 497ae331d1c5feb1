"""Whether a client takes what it is offered (RFC 9110, sections 12.5.1 and 12.5.3)."""

import functools
import re

_QUALITY = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)


@functools.lru_cache(maxsize=256)
def takes(accept: str, offered: str) -> bool:
    """Return whether an Accept header, empty if absent, lets a media type through."""
    if not accept.strip() or accept == "*/*":
        return True
    kind = offered.partition("/")[0]
    qualities = _qualities(accept)
    for pattern in (offered, f"{kind}/*", "*/*"):
        if pattern in qualities:
            return qualities[pattern] > 0
    return False


@functools.lru_cache(maxsize=256)
def takes_coding(accept_encoding: str, coding: str) -> bool:
    """Return whether an Accept-Encoding header, empty if absent, asks for a coding."""
    qualities = _qualities(accept_encoding)
    return qualities.get(coding, qualities.get("*", 0.0)) > 0


def _qualities(accept: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in accept.split(","):
        media_type, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next(filter(None, map(_QUALITY.fullmatch, parameters)), None)
        value = float(quality.group(1)) if quality else 1.0
        found[media_type] = max(value, found.get(media_type, 0.0))
    return found
