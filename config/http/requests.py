"""What views are given: Django's request, and a small one for reads that nothing else looks at."""

import functools
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, QueryDict

Environ = dict[str, Any]


class Request(WSGIRequest):
    """
    A request whose address is UTF-8, whatever its Content-Type says.

    Django would read the address by the charset named there, which may be none of text, and
    fail on some parameters before any middleware could answer.
    """

    @property
    def encoding(self) -> str:
        """Return UTF-8."""
        return "utf-8"

    @encoding.setter
    def encoding(self, value: str) -> None:
        """Leave it at UTF-8."""

    def _set_content_type_params(self, meta: Mapping[str, Any]) -> None:
        self.content_type, self.content_params = "", {}
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except (LookupError, ValueError):
            self.content_type = ""


class ReadRequest(HttpRequest):
    """A GET of a plain address: what a read looks at, and nothing that has to be made first."""

    def __init__(self, environ: Environ) -> None:
        """Take what the server says of the request."""
        self.META = environ
        self.method = environ["REQUEST_METHOD"]
        self.path = self.path_info = environ["PATH_INFO"]
        self.GET = query_of(environ["QUERY_STRING"])  # type: ignore[assignment]


@functools.lru_cache(maxsize=1_024)
def query_of(text: str) -> QueryDict:
    """Return the parameters of a query, which nobody can change."""
    return QueryDict(text, encoding="utf-8")


@functools.lru_cache(maxsize=256)
def is_host(name: str) -> bool:
    """Return whether the Host header names a host that this server answers for."""
    request = HttpRequest()
    request.META = {"HTTP_HOST": name}
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True
