"""
Reads answered ahead of Django: by the same views, without all that stands before them.

Signals, middleware, resolving and a request of Django's own cost as much as the read itself. So
an address that the front knows, asked for in the usual way, goes straight to its view. What is
unusual in any way is left to Django, which answers all that the front does, and byte for byte
the same.
"""

import re
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from config.http.endpoint import Endpoint
from config.http.requests import Environ, ReadRequest, Request, is_host
from config.http.timing import note

# Within this time a reply that is the same for everybody is not made again: less than a
# reader can tell, and enough for one making to serve a crowd.
SHARED_SECONDS = 0.01
_MOST_SHARED = 256
_PLAIN_QUERY = re.compile(r"[!-~]*")


class Sent(NamedTuple):
    """A reply as it goes out."""

    status: str
    headers: list[tuple[str, str]]
    content: bytes


class Route(NamedTuple):
    """
    The addresses of a view, and the method that they are asked for with.

    The pattern takes only what the view would not refuse, its groups named like the view's
    arguments. Replies of a `shared` one depend on the address and a few headers only.
    """

    pattern: re.Pattern[str]
    view: type[Endpoint]
    method: str = "GET"
    shared: bool = False


class Front:
    """Some routes, the most asked for first."""

    def __init__(self, routes: Sequence[Route]) -> None:
        """Make a view of each kind, which keeps nothing of what it answers."""
        self._routes = [(route, route.pattern.fullmatch, route.view()) for route in routes]
        self._shared: dict[tuple[str | None, ...], tuple[float, Sent]] = {}

    def answer(self, environ: Environ) -> Sent | None:
        """Answer a request to one of the routes; None leaves it to Django."""
        path = environ["PATH_INFO"]
        for route, match, view in self._routes:
            found = match(path)
            if found is not None:
                if environ["REQUEST_METHOD"] != route.method or not _is_usual(environ):
                    return None
                if route.shared:
                    return self._for_everybody(environ, view, found.groupdict())
                return _answered(environ, view, found.groupdict())
        return None

    def forget(self) -> None:
        """Forget what was answered: another database has other boards."""
        self._shared.clear()

    def _for_everybody(self, environ: Environ, view: Endpoint, named: dict[str, str]) -> Sent:
        key = _key(environ)
        now = time.monotonic()
        until, sent = self._shared.get(key, (0.0, None))
        if sent is not None and now < until:
            note(view.operation_name("get"), 200, time.monotonic() - now)
            return sent
        sent = _answered(environ, view, named)
        if sent.status.startswith("200"):
            if len(self._shared) >= _MOST_SHARED:
                self._shared.clear()
            self._shared[key] = (now + SHARED_SECONDS, sent)
        return sent


def _key(environ: Environ) -> tuple[str | None, ...]:
    asked = environ.get
    return (
        environ["PATH_INFO"],
        environ["QUERY_STRING"],
        asked("HTTP_ACCEPT"),
        asked("HTTP_ACCEPT_ENCODING"),
        asked("HTTP_IF_NONE_MATCH"),
        asked("HTTP_PREFER"),
    )


def _answered(environ: Environ, view: Endpoint, named: dict[str, str]) -> Sent:
    request: Any = (ReadRequest if environ["REQUEST_METHOD"] == "GET" else Request)(environ)
    response: Any = view.dispatch(request, **named)
    status = f"{response.status_code} {response.reason_phrase}"
    return Sent(status, list(response.items()), response.content)


def _is_usual(environ: Environ) -> bool:
    query = environ["QUERY_STRING"]
    return (
        not environ["SCRIPT_NAME"]
        and _PLAIN_QUERY.fullmatch(query) is not None
        and "%00" not in query
        and is_host(environ.get("HTTP_HOST", ""))
    )
