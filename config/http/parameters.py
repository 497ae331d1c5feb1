"""
Read what stands in a path, a query or a header: one pure function for each kind of value.

Each returns the value or raises InvalidParameter; none lets anything through that the
database could not hold.
"""

import re
from typing import Literal

from django.http import QueryDict

from config.errors import InvalidParameter

LARGEST_VERSION = 10**15 - 1
LONGEST_WAIT_SECONDS = 5

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
IDENTIFIER = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._:@=+,~|-]{0,63}")
REGION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
VERSION = re.compile(r"final|0|[1-9][0-9]{0,14}")
_INTEGER = re.compile(r"0|[1-9][0-9]{0,17}")
_WAIT = re.compile(r"(?:^|,)\s*wait\s*=\s*\"?([0-9]{1,6})\"?\s*(?=[,;]|$)", re.IGNORECASE)


def season_slug(text: str) -> str:
    """Return a season's id as it stands in a path."""
    return _slug("season_id", text)


def series_slug(text: str) -> str:
    """Return a series' id as it stands in a path."""
    return _slug("series_id", text)


def identifier(name: str, text: str) -> str:
    """Return the id of a player, an event or a match."""
    if not IDENTIFIER.fullmatch(text):
        raise InvalidParameter(f"{name} must match ^{IDENTIFIER.pattern}$.")
    return text


def single(query: QueryDict, name: str) -> str | None:
    """Return the one value of a query parameter, None if it is absent."""
    values = query.getlist(name)
    if len(values) > 1:
        raise InvalidParameter(f"{name} is given more than once.")
    return values[0] if values else None


def plain_integer(name: str, text: str, lowest: int, highest: int) -> int:
    """Return a plain decimal: no sign, no leading zero, no blank, within the range."""
    if not _INTEGER.fullmatch(text) or not lowest <= int(text) <= highest:
        raise InvalidParameter(f"{name} must be an integer from {lowest} to {highest}.")
    return int(text)


def integer(
    query: QueryDict, name: str, *, lowest: int, highest: int, default: int | None = None
) -> int | None:
    """Return an integer of the query, or the default if it is absent."""
    text = single(query, name)
    return default if text is None else plain_integer(name, text, lowest, highest)


def limit(query: QueryDict, *, highest: int, default: int, name: str = "limit") -> int:
    """Return how many rows to show, at least one."""
    text = single(query, name)
    return default if text is None else plain_integer(name, text, 1, highest)


def version(query: QueryDict) -> int | Literal["final"] | None:
    """Return the pinned version, `final` as the word; None asks for the newest."""
    text = single(query, "version")
    if text is None:
        return None
    if not VERSION.fullmatch(text):
        raise InvalidParameter(f"version must be final or an integer up to {LARGEST_VERSION}.")
    return "final" if text == "final" else int(text)


def min_version(query: QueryDict) -> int:
    """Return the version that the reply must have reached; 0 if any will do."""
    return integer(query, "min_version", lowest=0, highest=LARGEST_VERSION) or 0


def region(query: QueryDict) -> str | None:
    """Return the code of the board's region, None for the global board."""
    text = single(query, "region")
    if text is not None and not REGION.fullmatch(text):
        raise InvalidParameter(f"region must match ^{REGION.pattern}$.")
    return text


def wait_seconds(prefer: str) -> int:
    """Return how long the client would wait: what it prefers can be ignored, never refused."""
    found = _WAIT.search(prefer) if prefer else None
    return min(int(found.group(1)), LONGEST_WAIT_SECONDS) if found else 0


def _slug(name: str, text: str) -> str:
    if not SLUG.fullmatch(text):
        raise InvalidParameter(f"{name} must match ^{SLUG.pattern}$.")
    return text
