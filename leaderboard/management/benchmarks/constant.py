"""The yardstick of a web server: replies of any size that are there before they are asked for."""

import functools
from collections.abc import Callable, Iterable
from typing import Any

_HEADERS = [("Content-Type", "application/json"), ("Cache-Control", "public, max-age=1")]


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer `/bytes/N` with N bytes, anything else with two."""
    size = environ["PATH_INFO"].removeprefix("/bytes/")
    start_response("200 OK", _HEADERS)
    return [_content(int(size) if size.isdecimal() else 2)]


@functools.cache
def _content(size: int) -> bytes:
    return b"x" * size
