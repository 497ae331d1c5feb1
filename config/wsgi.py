"""The WSGI application that granian serves."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


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


class Handler(WSGIHandler):
    """Django's handler of requests."""

    request_class = Request


django.setup(set_prefix=False)
_handle = Handler()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer a request; a whole reply goes out in one piece, its connections given back first."""
    response: Any = _handle(environ, start_response)
    if getattr(response, "streaming", True):
        streamed: Iterable[bytes] = response
        return streamed
    response.close()
    return [response.content]
