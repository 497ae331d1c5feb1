"""
Every error as `application/problem+json` (RFC 9457), and the one table of its statuses.

Whatever goes wrong, in a view or before one is reached, becomes a reply here. None of them
says what the server looks like inside.
"""

import logging
import sys
from typing import Any, NamedTuple

import msgspec
from django.core import exceptions as django_core
from django.db import utils as django_errors
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions as drf_errors

from config import db, errors
from config.errors import Refusal

log = logging.getLogger("laurel.problems")

CONTENT_TYPE = "application/problem+json"
MOST_FAULTS_SHOWN = 1_000
DATABASE_AWAY = (*db.LOST, django_errors.InterfaceError)


class InternalError(Refusal):
    """The server made a mistake; it has been logged."""

    code = "internal_error"


class Problem(NamedTuple):
    """What HTTP says for a code: the status, a title, and when to come again (seconds)."""

    status: int
    title: str
    retry_after: int | None = None


PROBLEMS: dict[str, Problem] = {
    "invalid_parameter": Problem(400, "Invalid parameter"),
    "malformed_json": Problem(400, "Malformed JSON"),
    "invalid_cursor": Problem(400, "Invalid cursor"),
    "not_authenticated": Problem(401, "Not authenticated"),
    "forbidden": Problem(403, "Forbidden"),
    "not_found": Problem(404, "Not found"),
    "season_not_found": Problem(404, "Season not found"),
    "series_not_found": Problem(404, "Series not found"),
    "player_not_ranked": Problem(404, "Player not ranked"),
    "version_unknown": Problem(404, "Version unknown"),
    "region_not_found": Problem(404, "Region not found"),
    "method_not_allowed": Problem(405, "Method not allowed"),
    "not_acceptable": Problem(406, "Not acceptable"),
    "event_conflict": Problem(409, "Event conflict"),
    "season_exists": Problem(409, "Season exists"),
    "series_exists": Problem(409, "Series exists"),
    "series_ended": Problem(409, "Series ended"),
    "wrong_state": Problem(409, "Wrong state"),
    "held_result_decided": Problem(409, "Held result decided"),
    "season_not_open": Problem(409, "Season not open"),
    "season_final": Problem(409, "Season final"),
    "request_decided": Problem(409, "Request decided"),
    "another_person_needed": Problem(403, "Another person needed"),
    "profile_conflict": Problem(409, "Profile conflict"),
    "friends_conflict": Problem(409, "Friends conflict"),
    "settlement_conflict": Problem(409, "Settlement conflict"),
    "not_final": Problem(409, "Not final"),
    "not_published_yet": Problem(409, "Not published yet", retry_after=1),
    "version_expired": Problem(410, "Version expired"),
    "cursor_expired": Problem(410, "Cursor expired"),
    "season_retired": Problem(410, "Season retired"),
    "payload_too_large": Problem(413, "Payload too large"),
    "unsupported_media_type": Problem(415, "Unsupported media type"),
    "validation_failed": Problem(422, "Validation failed"),
    "internal_error": Problem(500, "Internal error"),
    "no_published_version": Problem(503, "No published version", retry_after=1),
    "unavailable": Problem(503, "Unavailable", retry_after=1),
}

_STATUS_REFUSALS: dict[int, type[Refusal]] = {
    400: errors.InvalidParameter,
    401: errors.NotAuthenticated,
    403: errors.Forbidden,
    404: errors.NotFound,
    405: errors.MethodNotAllowed,
    406: errors.NotAcceptable,
    413: errors.PayloadTooLarge,
    415: errors.UnsupportedMediaType,
}


def problem_reply(refusal: Refusal, *, allow: list[str] | None = None) -> HttpResponse:
    """Return the reply that says why the request was refused."""
    problem = PROBLEMS[refusal.code]
    response = HttpResponse(
        msgspec.json.encode(_body(refusal, problem)),
        content_type=CONTENT_TYPE,
        status=problem.status,
    )
    response.headers["Cache-Control"] = "no-store"
    if problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="laurel"'
    if allow is not None:
        response.headers["Allow"] = ", ".join(allow)
    return response


def refusal_for(exc: BaseException | None) -> Refusal:
    """Return the refusal that an exception of any kind amounts to; unknown ones are logged."""
    if isinstance(exc, Refusal):
        return exc
    if isinstance(exc, DATABASE_AWAY):
        log.warning("The database did not answer: %s", type(exc).__name__)
        return errors.Unavailable()
    if isinstance(exc, Http404):
        return errors.NotFound()
    if isinstance(exc, django_core.RequestDataTooBig):
        return errors.PayloadTooLarge()
    if isinstance(exc, django_core.SuspiciousOperation | django_core.BadRequest):
        return errors.InvalidParameter("The request is not valid.")
    if isinstance(exc, django_core.PermissionDenied):
        return errors.Forbidden()
    if isinstance(exc, drf_errors.APIException) and exc.status_code in _STATUS_REFUSALS:
        return _STATUS_REFUSALS[exc.status_code]()
    log.error("A request failed.", exc_info=exc)
    return InternalError()


def exception_handler(exc: Exception, context: dict[str, Any]) -> HttpResponse:
    """Answer for REST framework's own views."""
    return problem_reply(refusal_for(exc))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django found wrong with a request before a view saw it."""
    return problem_reply(refusal_for(exception))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that a view of Django's own refused."""
    return problem_reply(errors.Forbidden("This is not permitted."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that nothing is at."""
    return problem_reply(errors.NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an exception that no view caught: often a database that is away."""
    return problem_reply(refusal_for(sys.exc_info()[1]))


def _body(refusal: Refusal, problem: Problem) -> dict[str, Any]:
    body: dict[str, Any] = {
        "type": f"/problems/{refusal.code}",
        "title": problem.title,
        "status": problem.status,
        "detail": refusal.detail,
        "code": refusal.code,
    }
    if isinstance(refusal, errors.ValidationFailed):
        faults = refusal.faults[:MOST_FAULTS_SHOWN]
        body["errors"] = [fault._asdict() for fault in faults]
    return {**body, **refusal.members}
