"""The yardstick of a web server: replies of any size that are there before they are asked for."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

# As many, and as long, as those of the replies that it is the yardstick for.
_HEADERS = [
    ("Content-Type", "application/json"),
    ("X-Content-Type-Options", "nosniff"),
    ("ETag", 'W/"0123456789abcdef01234567"'),
    ("Cache-Control", "public, max-age=1, stale-while-revalidate=2"),
    ("Vary", "Accept-Encoding"),
]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer `/bytes/N` with N bytes, anything else with two."""
    size = environ["PATH_INFO"].removeprefix("/bytes/")
    start_response("200 OK", _HEADERS)
    return [_content(int(size) if size.isdecimal() else 2)]


@functools.cache
def _content(size: int) -> bytes:
    return b"x" * size
