"""The base of the views that only trusted services may use."""

import re
from collections.abc import Callable
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.errors import Forbidden, NotAuthenticated
from config.http.endpoint import Endpoint
from config.http.gates import Gate
from scores.operations.note_token_use import note_token_use
from scores.queries.valid_token import ValidToken, valid_token

_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]{1,200}) *", re.IGNORECASE)
WRITES = Gate(
    settings.WRITES_IN_FLIGHT, line=settings.WRITES_IN_LINE, patience=settings.LINE_SECONDS
)


class ServiceEndpoint(Endpoint):
    """Asks for a service token with the scope that the view names."""

    scope: ClassVar[str]

    def admit(self, request: HttpRequest) -> None:
        """Raise NotAuthenticated without a valid token, Forbidden without the scope."""
        token = _shown_token(request)
        if token.use_is_due:
            note_token_use(token.id)
        if self.scope not in token.scopes:
            raise Forbidden(f"The token does not have the scope {self.scope}.")

    def run(
        self, method: Callable[..., HttpResponse], request: HttpRequest, kwargs: dict[str, Any]
    ) -> HttpResponse:
        """Answer within the bound of services at work; raise Unavailable over it."""
        with WRITES.entered():
            return super().run(method, request, kwargs)


def _shown_token(request: HttpRequest) -> ValidToken:
    shown = _BEARER.fullmatch(request.META.get("HTTP_AUTHORIZATION", ""))
    token = valid_token(shown.group(1)) if shown else None
    if token is None:
        raise NotAuthenticated
    return token
