"""
Reads answered ahead of Django: by the same views, without all that stands before them.

Signals, middleware, resolving and a request of Django's own cost as much as the read itself. So
an address that the front knows, asked for in the usual way, goes straight to its view. What is
unusual in any way is left to Django, which answers all that the front does, and byte for byte
the same.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http.response import HttpResponseBase

from config.http.endpoint import Endpoint
from config.http.requests import Environ, ReadRequest, Request, is_host

_PLAIN_QUERY = re.compile(r"[!-~]*")


class Route(NamedTuple):
    """
    The addresses of a view, and the method that they are asked for with.

    The pattern takes only what the view would not refuse, its groups named like the view's
    arguments.
    """

    pattern: re.Pattern[str]
    view: type[Endpoint]
    method: str = "GET"


class Front:
    """Some routes, the most asked for first."""

    def __init__(self, routes: Sequence[Route]) -> None:
        """Make a view of each kind, which keeps nothing of what it answers."""
        self._routes = [(route.pattern.fullmatch, route.method, route.view()) for route in routes]

    def answer(self, environ: Environ) -> HttpResponseBase | None:
        """Answer a request to one of the routes; None leaves it to Django."""
        path = environ["PATH_INFO"]
        for match, method, view in self._routes:
            found = match(path)
            if found is not None:
                if environ["REQUEST_METHOD"] != method or not _is_usual(environ):
                    return None
                request: Any = (ReadRequest if method == "GET" else Request)(environ)
                return view.dispatch(request, **found.groupdict())
        return None


def _is_usual(environ: Environ) -> bool:
    query = environ["QUERY_STRING"]
    return (
        not environ["SCRIPT_NAME"]
        and _PLAIN_QUERY.fullmatch(query) is not None
        and "%00" not in query
        and is_host(environ.get("HTTP_HOST", ""))
    )
