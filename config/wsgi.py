"""The WSGI application that granian serves."""

import os
from collections.abc import Callable, Iterable
from typing import Any

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.utils.module_loading import import_string

from config.http.requests import Request

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

StartResponse = Callable[..., Any]


class Handler(WSGIHandler):
    """Django's handler of requests."""

    request_class = Request


django.setup(set_prefix=False)
_handle = Handler()
_front = import_string(settings.FRONT) if settings.FRONT else None


def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Answer a request: ahead of Django if it is one of the reads that are asked for most."""
    sent = _front.answer(environ) if _front else None
    if sent is None:
        return _by_django(environ, start_response)
    start_response(sent.status, sent.headers)
    return [sent.content]


def _by_django(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    """Answer; a whole reply goes out in one piece, its connections given back first."""
    response: Any = _handle(environ, start_response)
    if getattr(response, "streaming", True):
        streamed: Iterable[bytes] = response
        return streamed
    response.close()
    return [response.content]
