"""
The base of every view of the interface.

It is a REST framework view by its description, its methods and its errors. What REST
framework does for each request besides (negotiation, wrapping, rendering) costs more than
reading a rank, so a request goes straight to its method here.
"""

import functools
import time
from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.views import APIView

from config.errors import MethodNotAllowed, NotAcceptable
from config.http.accept import takes
from config.http.openapi import Description
from config.http.replies import JSON
from config.http.timing import note
from config.problems import problem_reply, refusal_for


class Endpoint(APIView):
    """Answers in JSON, and with a problem reply whatever goes wrong."""

    schema = Description()
    media_type: ClassVar[str] = JSON
    scope: ClassVar[str | None] = None

    def admit(self, request: HttpRequest) -> None:
        """Raise a refusal unless the client may use this view; by default anybody may."""

    def run(
        self, method: Callable[..., HttpResponse], request: HttpRequest, kwargs: dict[str, Any]
    ) -> HttpResponse:
        """Answer a request that is admitted, by the method for it."""
        return method(request, **kwargs)

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer a request."""
        began = time.perf_counter()
        try:
            response = self._answer(request, kwargs)
        except MethodNotAllowed as refusal:
            response = problem_reply(refusal, allow=self.allowed_methods)
        except Exception as exc:
            response = problem_reply(refusal_for(exc))
        seconds = time.perf_counter() - began
        note(self.operation_name(_method(request)), response.status_code, seconds)
        return _without_body(response) if request.method == "HEAD" else response

    @classmethod
    @functools.cache
    def operation_name(cls, method: str) -> str:
        """Return what the description calls a method, or the view if it is not described."""
        described = getattr(getattr(cls, method, None), "operation", None)
        return cls.__name__ if described is None else str(described.name)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Say which methods the address takes."""
        response = HttpResponse(status=204, headers={"Allow": ", ".join(self.allowed_methods)})
        del response.headers["Content-Type"]
        return response

    def _answer(self, request: HttpRequest, kwargs: dict[str, Any]) -> HttpResponse:
        name = (request.method or "").lower()
        method = getattr(self, name, None) if name in self.http_method_names else None
        if method is None:
            raise MethodNotAllowed
        if name != "options":
            if not takes(request.META.get("HTTP_ACCEPT", ""), self.media_type):
                raise NotAcceptable
            self.admit(request)
        return self.run(method, request, kwargs)


def _without_body(response: HttpResponse) -> HttpResponse:
    response.headers["Content-Length"] = str(len(response.content))
    response.content = b""
    return response


def _method(request: HttpRequest) -> str:
    """Return the method that is counted: one that is unknown is counted like any other."""
    method = (request.method or "").lower()
    return {"head": "get"}.get(method, method if method in APIView.http_method_names else "")
