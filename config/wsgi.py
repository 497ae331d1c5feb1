"""The WSGI application that granian serves."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer a request; a whole reply goes out in one piece, its connections given back first."""
    response: Any = _django(environ, start_response)
    if getattr(response, "streaming", True):
        streamed: Iterable[bytes] = response
        return streamed
    response.close()
    return [response.content]
