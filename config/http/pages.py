"""Addresses beside the interface: its description, its problems, files, process metrics."""

import functools
import hmac
import inspect
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.staticfiles.views import serve
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django_prometheus.exports import ExportToDjangoView  # type: ignore[import-untyped]
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerView

from config.errors import Forbidden, NotAuthenticated, NotFound, Refusal
from config.http.endpoint import Endpoint
from config.http.openapi import Operation, operation
from config.http.replies import encode, json_reply
from config.problems import PROBLEMS


class LiveReply(msgspec.Struct, forbid_unknown_fields=True):
    """The process answers."""

    status: str


class ProblemPage(msgspec.Struct, forbid_unknown_fields=True):
    """What a code of a problem reply means."""

    code: str
    title: str
    status: int
    detail: str


class Live(Endpoint):
    """Whether the process answers."""

    @operation(Operation("livez", "Whether the process answers", LiveReply, tag="Operating"))
    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer without looking at anything."""
        return json_reply(LiveReply("ok"), {"Cache-Control": "no-store"})


class ProblemMeaning(Endpoint):
    """What the `type` of a problem reply refers to."""

    @operation(
        Operation(
            "problem",
            "What the code of a problem reply means",
            ProblemPage,
            codes=("not_found",),
            tag="Operating",
        )
    )
    def get(self, request: HttpRequest, code: str) -> HttpResponse:
        """Explain one code."""
        if code not in PROBLEMS:
            raise NotFound
        problem = PROBLEMS[code]
        page = ProblemPage(code, problem.title, problem.status, _meanings()[code])
        return json_reply(page, {"Cache-Control": "public, max-age=3600"})


class Document(Endpoint):
    """The OpenAPI document."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer with the document, which is put together once."""
        return HttpResponse(_document(), content_type="application/json")


class Metrics(Endpoint):
    """Metrics of the process for Prometheus."""

    media_type = "text/plain"

    def admit(self, request: HttpRequest) -> None:
        """Let in who has the token, or without one, who is on the same machine."""
        if settings.METRICS_TOKEN:
            expected = f"Bearer {settings.METRICS_TOKEN}".encode()
            given = request.META.get("HTTP_AUTHORIZATION", "").encode()
            if not hmac.compare_digest(expected, given):
                raise NotAuthenticated("A token is needed: `Authorization: Bearer TOKEN`.")
        elif not _is_from_this_machine(request):
            raise Forbidden("Without METRICS_TOKEN, metrics are only for the same machine.")

    @operation(
        Operation(
            "metrics",
            "Metrics for Prometheus",
            "text/plain",
            codes=("not_authenticated", "forbidden"),
            tag="Operating",
        )
    )
    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer in Prometheus' text format."""
        exported: HttpResponse = ExportToDjangoView(request)
        return exported


docs = SpectacularSwaggerView.as_view(url_name="openapi", http_method_names=["get", "head"])


def static_file(request: HttpRequest, path: str) -> HttpResponseBase:
    """Serve a file that an app brings, for the admin and the documentation."""
    response = serve(request, path, insecure=True)
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@functools.cache
def _document() -> bytes:
    generator: Any = SchemaGenerator  # not typed by its authors
    return encode(generator().get_schema(request=None, public=True))


@functools.cache
def _meanings() -> dict[str, str]:
    return {kind.code: inspect.cleandoc(kind.__doc__ or "") for kind in _kinds(Refusal)}


def _kinds(base: Any) -> list[Any]:
    return [kind for sub in base.__subclasses__() for kind in (sub, *_kinds(sub))]


def _is_from_this_machine(request: HttpRequest) -> bool:
    forwarded = "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META
    return request.META.get("REMOTE_ADDR") in {"127.0.0.1", "::1"} and not forwarded
