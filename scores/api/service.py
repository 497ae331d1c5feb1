"""The base of the views that only trusted services may use."""

import re
from typing import ClassVar

from django.http import HttpRequest

from config.errors import Forbidden, NotAuthenticated
from config.http.endpoint import Endpoint
from scores.operations.note_token_use import note_token_use
from scores.queries.valid_token import ValidToken, valid_token

_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]{1,200}) *", re.IGNORECASE)


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


def _shown_token(request: HttpRequest) -> ValidToken:
    shown = _BEARER.fullmatch(request.META.get("HTTP_AUTHORIZATION", ""))
    token = valid_token(shown.group(1)) if shown else None
    if token is None:
        raise NotAuthenticated
    return token
