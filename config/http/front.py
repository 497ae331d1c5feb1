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

# Within this time a reply that is the same for everybody is not made again, and at most as long
# again it goes out while it is: less than a reader can tell, and one making serves a crowd.
SHARED_SECONDS = 0.01
_MOST_SHARED = 256
_Key = tuple[str | None, ...]
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


class _Shared(NamedTuple):
    """
    A reply that was just made, and as what it counts.

    It goes to everybody until a time, which who makes the next one sets later; never past the end.
    """

    until: float
    end: float
    operation: str
    sent: Sent


class Front:
    """Some routes, the most asked for first."""

    def __init__(self, routes: Sequence[Route]) -> None:
        """Make a view of each kind, which keeps nothing of what it answers."""
        self._routes = [(route, route.pattern.fullmatch, route.view()) for route in routes]
        self._shared: dict[_Key, _Shared] = {}

    def answer(self, environ: Environ) -> Sent | None:
        """Answer a request to one of the routes; None leaves it to Django."""
        began = time.perf_counter()
        key = _key(environ)
        shared = self._shared.get(key)
        if shared is not None:
            if began < shared.until:
                note(shared.operation, 200, time.perf_counter() - began)
                return shared.sent
            # Whoever comes while this one makes it anew gets what was there, so that one makes.
            self._shared[key] = shared._replace(until=min(began + SHARED_SECONDS, shared.end))
        path = environ["PATH_INFO"]
        for route, match, view in self._routes:
            found = match(path)
            if found is not None:
                if environ["REQUEST_METHOD"] != route.method or not _is_usual(environ):
                    return None
                if route.shared:
                    return self._for_everybody(key, environ, view, found.groupdict())
                return _answered(environ, view, found.groupdict())
        return None

    def forget(self) -> None:
        """Forget what was answered: another database has other boards."""
        self._shared.clear()

    def _for_everybody(
        self, key: _Key, environ: Environ, view: Endpoint, named: dict[str, str]
    ) -> Sent:
        sent = _answered(environ, view, named)
        if not sent.status.startswith("200"):
            self._shared.pop(key, None)
            return sent
        if len(self._shared) >= _MOST_SHARED:
            self._shared.clear()
        now = time.perf_counter()
        until, end = now + SHARED_SECONDS, now + 2 * SHARED_SECONDS
        self._shared[key] = _Shared(until, end, view.operation_name("get"), sent)
        return sent


def _key(environ: Environ) -> _Key:
    asked = environ.get
    return (
        environ["REQUEST_METHOD"],
        environ["SCRIPT_NAME"],
        environ["PATH_INFO"],
        environ["QUERY_STRING"],
        asked("HTTP_HOST"),
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
