"""Every error is a problem reply, also one that is raised before a view is reached."""

import json
from typing import Any

import psycopg
import psycopg_pool
import pytest
from django.core import exceptions as django_core
from django.core.signals import request_finished
from django.db import utils as django_errors
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from rest_framework import exceptions as drf_errors

from config import errors, problems
from config.errors import Fault, Refusal, ValidationFailed
from config.http.endpoint import Endpoint
from config.urls import handler400, handler403, handler404, handler500, urlpatterns
from config.wsgi import application

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class Raising(Endpoint):
    """Raises what the test put in."""

    exception: BaseException = Refusal()

    def get(self, request: HttpRequest) -> HttpResponse:
        raise self.exception


def raising(request: HttpRequest) -> HttpResponse:
    """A view that is no endpoint."""
    raise Raising.exception


urlpatterns = [*urlpatterns, path("raise", Raising.as_view()), path("raise-plain", raising)]


@pytest.fixture
def client(settings: Any) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


def problem(response: Any) -> dict[str, Any]:
    assert response.headers["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(response.content)
    assert body["status"] == response.status_code
    assert body["type"] == f"/problems/{body['code']}"
    assert body["title"]
    assert body["detail"]
    return body


def refusals(base: type[Refusal] = Refusal) -> list[type[Refusal]]:
    return [
        kind
        for sub in base.__subclasses__()
        if sub.__module__.startswith("config")
        for kind in (sub, *refusals(sub))
    ]


@pytest.mark.parametrize("kind", refusals())
def test_every_refusal_has_its_status_and_an_explanation(
    client: Client, kind: type[Refusal]
) -> None:
    page = client.get(f"/problems/{kind.code}").json()
    assert page["status"] == problems.PROBLEMS[kind.code].status
    assert page["detail"]


def test_there_is_no_status_without_a_refusal() -> None:
    assert {kind.code for kind in refusals()} == set(problems.PROBLEMS)


@pytest.mark.parametrize("address", ["/raise", "/raise-plain"])
@pytest.mark.parametrize(
    ("exception", "status", "code"),
    [
        (errors.SeasonNotFound(), 404, "season_not_found"),
        (psycopg.OperationalError("secret"), 503, "unavailable"),
        (psycopg.errors.QueryCanceled("secret"), 503, "unavailable"),
        (psycopg.InterfaceError("secret"), 503, "unavailable"),
        (psycopg_pool.PoolTimeout("secret"), 503, "unavailable"),
        (django_errors.OperationalError("secret"), 503, "unavailable"),
        (django_errors.InterfaceError("secret"), 503, "unavailable"),
        (Http404("secret"), 404, "not_found"),
        (django_core.SuspiciousOperation("secret"), 400, "invalid_parameter"),
        (django_core.TooManyFieldsSent("secret"), 400, "invalid_parameter"),
        (django_core.RequestDataTooBig("secret"), 413, "payload_too_large"),
        (django_core.PermissionDenied("secret"), 403, "forbidden"),
        (drf_errors.UnsupportedMediaType("secret"), 415, "unsupported_media_type"),
        (django_errors.ProgrammingError("SELECT secret"), 500, "internal_error"),
        (ZeroDivisionError("secret"), 500, "internal_error"),
    ],
)
def test_whatever_is_raised_becomes_a_problem(
    client: Client, address: str, exception: Exception, status: int, code: str
) -> None:
    Raising.exception = exception
    response = client.get(address)
    assert (response.status_code, problem(response)["code"]) == (status, code)
    assert b"secret" not in response.content
    assert b"Traceback" not in response.content


@pytest.mark.parametrize("code", ["unavailable", "no_published_version", "not_published_yet"])
def test_what_passes_says_when_to_come_again(client: Client, code: str) -> None:
    Raising.exception = next(kind for kind in refusals() if kind.code == code)()
    assert int(client.get("/raise").headers["Retry-After"]) >= 1


def test_a_refusal_may_show_members_of_its_own(client: Client) -> None:
    Raising.exception = errors.VersionExpired(current_version=7, relocated_cursor=None)
    body = problem(client.get("/raise"))
    assert (body["current_version"], body["relocated_cursor"]) == (7, None)


def test_a_refused_body_shows_its_faults_and_not_without_end(client: Client) -> None:
    Raising.exception = ValidationFailed([Fault("/a", "missing", "x")] * 5_000)
    shown = problem(client.get("/raise"))["errors"]
    assert shown[0] == {"pointer": "/a", "code": "missing", "detail": "x"}
    assert len(shown) == problems.MOST_FAULTS_SHOWN


def test_a_401_says_how_to_authenticate(client: Client) -> None:
    Raising.exception = errors.NotAuthenticated()
    assert client.get("/raise").headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/livez/", 404, "not_found"),
        ("/v1/nothing", 404, "not_found"),
        ("/%FF%FE", 404, "not_found"),
        ("/%00", 400, "invalid_parameter"),
        ("/problems/a%00b", 400, "invalid_parameter"),
        ("/livez?limit=%00", 400, "invalid_parameter"),
        ("/livez?%00", 400, "invalid_parameter"),
        ("/static/..%2f..%2fmanage.py", 400, "invalid_parameter"),
        ("/static/nothing.css", 404, "not_found"),
        ("/problems/nothing", 404, "not_found"),
    ],
)
def test_an_address_that_nobody_answers(
    client: Client, address: str, status: int, code: str
) -> None:
    response = client.get(address)
    assert (response.status_code, problem(response)["code"]) == (status, code)


def test_unknown_and_odd_query_parameters_are_ignored(client: Client) -> None:
    assert client.get("/livez?a=%2500&b=%FF&c").status_code == 200


@pytest.mark.parametrize("host", ["a b", "<x>", "a\\b", "x:y:z"])
def test_a_host_that_is_none_is_refused(client: Client, host: str) -> None:
    body = problem(client.get("/livez", headers={"host": host}))
    assert body["code"] == "invalid_parameter"


def test_another_method_is_refused_and_the_right_ones_named(client: Client) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "DISPATCH", "ADMIT"):
        response = client.generic(method, "/livez")
        assert problem(response)["code"] == "method_not_allowed"
        assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_options_names_the_methods(client: Client) -> None:
    response = client.options("/livez")
    assert (response.status_code, dict(response.headers)) == (204, {"Allow": "GET, HEAD, OPTIONS"})


def test_head_is_get_without_its_body(client: Client) -> None:
    answered, head = client.get("/livez"), client.head("/livez")
    assert head.content == b""
    assert head.headers["Content-Length"] == str(len(answered.content))
    assert client.head("/problems/nothing").status_code == 404


def test_a_client_that_takes_no_json_is_told_so(client: Client) -> None:
    response = client.get("/livez", headers={"accept": "text/html"})
    assert problem(response)["code"] == "not_acceptable"


def test_the_interface_has_no_session_and_the_admin_has(client: Client) -> None:
    assert not client.get("/livez").cookies
    login = client.get("/admin/login/")
    assert login.status_code == 200
    assert login.cookies["csrftoken"]
    assert login.headers["X-Frame-Options"] == "DENY"
    assert client.get("/admin").headers["Location"] == "/admin/"


def test_a_forged_form_of_the_admin_is_refused(settings: Any) -> None:
    settings.ROOT_URLCONF = __name__
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    assert strict.post("/admin/login/", {"username": "x"}).status_code == 403


def test_the_documentation_works_without_the_net(client: Client) -> None:
    page = client.get("/api/docs/").content.decode()
    assert "http://" not in page.replace("http://testserver", "")
    assert "https://" not in page
    names = [part.split('"')[0] for part in page.split('"/static/')[1:]]
    assert names
    for name in names:
        response = client.get(f"/static/{name}")
        assert response.status_code == 200
        response.close()


def test_a_file_comes_with_its_type(client: Client) -> None:
    response = client.get("/static/admin/css/base.css")
    assert response.headers["Content-Type"] == "text/css"
    assert "max-age" in response.headers["Cache-Control"]
    response.close()


def metrics(**environ: Any) -> Any:
    from config.http.pages import Metrics

    return Metrics.as_view()(RequestFactory().get("/metrics", **environ))


@pytest.mark.usefixtures("database")
def test_metrics_are_for_the_same_machine_unless_there_is_a_token(settings: Any) -> None:
    assert metrics().status_code == 200
    assert metrics(REMOTE_ADDR="::1").status_code == 200
    assert metrics(REMOTE_ADDR="10.0.0.1").status_code == 403
    assert metrics(HTTP_X_FORWARDED_FOR="127.0.0.1").status_code == 403
    settings.METRICS_TOKEN = "sesame"
    assert metrics().status_code == 401
    assert metrics(HTTP_AUTHORIZATION="Bearer sesam").status_code == 401
    assert metrics(HTTP_AUTHORIZATION="Bearer sesämé").status_code == 401
    assert metrics(REMOTE_ADDR="10.0.0.1", HTTP_AUTHORIZATION="Bearer sesame").status_code == 200


def served(address: str, **more: str) -> Any:
    environ = {**RequestFactory().get(address).environ, **more}
    return application(environ, lambda status, headers: None)


def test_a_whole_reply_goes_out_in_one_piece_after_its_request_has_ended() -> None:
    ended: list[object] = []

    def note(**signal: object) -> None:
        ended.append(signal["signal"])

    request_finished.connect(note)
    try:
        assert served("/livez") == [b'{"status":"ok"}']
        assert len(ended) == 1
        file = served("/static/admin/css/base.css")
        assert len(ended) == 1
        assert b"".join(file).startswith(b"/*")
        file.close()
        assert len(ended) == 2
    finally:
        request_finished.disconnect(note)


@pytest.mark.parametrize(
    "content_type",
    [
        "a/b; charset=zlib",
        "a/b; charset=undefined",
        "a/b; charset=utf-16",
        "a/b; charset=nothing",
        "a/b; x*=nothing'a'%41",
        "a/b; x*=utf-8'%41",
        "a/b; " + "x" * 20_000,
        ";;;===",
        "\xff\xfe",
    ],
)
def test_no_content_type_changes_what_an_address_means(content_type: str) -> None:
    (body,) = served("/problems/%C3%A4?limit=%C3%A4", CONTENT_TYPE=content_type)
    assert json.loads(body)["code"] == "not_found"


def test_the_root_leads_to_the_documentation_and_its_options_are_answered() -> None:
    assert Client().get("/").headers["Location"] == "/api/docs/"
    assert problem(Client().options("/api/docs/"))["code"] == "method_not_allowed"
