"""A client of the HTTP interface: what a match service and a reader would send."""

import json
from datetime import UTC, datetime
from typing import Any

from django.test import Client

from config.http.times import show_time
from scores.operations.create_token import create_token

BOARD = "/v1/seasons/season/leaderboard"
PLAYERS = "/v1/seasons/season/players"
SCORES = "/internal/v1/seasons/season/scores:apply"
CORRECTIONS = "/internal/v1/seasons/season/corrections"
PROFILE = "/internal/v1/players/ann/profile"
FRIENDS = "/internal/v1/players/ann/friends"
PROFILES = "/internal/v1/players/profiles"
CHANGES = "/internal/v1/seasons/season/changes"

client = Client(raise_request_exception=True)


def token(*scopes: str) -> str:
    """Make a service token, one that may write unless other scopes are given."""
    name = f"service-{datetime.now(UTC).timestamp()}"
    return create_token(name, scopes or ("scores:apply", "scores:correct", "changes:read"))


def get(address: str, **headers: str) -> Any:
    """Send a GET."""
    return client.get(address, headers=headers)


def post(address: str, body: object, bearer: str | None = None, **headers: str) -> Any:
    """Send a POST with JSON, or with bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    if bearer is not None:
        headers["authorization"] = f"Bearer {bearer}"
    return client.post(address, content, content_type="application/json", headers=headers)


def put(address: str, body: object, bearer: str | None = None) -> Any:
    """Send a PUT with JSON, or with bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {} if bearer is None else {"authorization": f"Bearer {bearer}"}
    return client.put(address, content, content_type="application/json", headers=headers)


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Return the body of a problem reply, which must have this status and code."""
    body: dict[str, Any] = json.loads(response.content)
    assert response.headers["Content-Type"] == "application/problem+json", response.content
    assert (response.status_code, body["status"], body["code"]) == (status, status, code), body
    return body


def faults(response: Any) -> list[tuple[str, str]]:
    """Return the pointers and codes of what is wrong with a body."""
    body = problem(response, 422, "validation_failed")
    return [(fault["pointer"], fault["code"]) for fault in body["errors"]]


def result(number: int = 1, **members: Any) -> dict[str, Any]:
    """Return a result as a match service sends it."""
    return {
        "event_id": f"result-{number}",
        "match_id": f"match-{number}",
        "player_id": f"player-{number}",
        "best_score": 100,
        "score_version": 1,
        "completed_at": show_time(datetime.now(UTC)),
        **members,
    }


def correction(number: int = 1, **members: Any) -> dict[str, Any]:
    """Return a correction as a service sends it; a removal unless it is told otherwise."""
    what = {} if "void_event_id" in members else {"corrected_score": None}
    return {
        "event_id": f"correction-{number}",
        "player_id": "player-1",
        "score_version": 2,
        "reason": "a reason",
        "evidence": "",
        "approved_by": "somebody",
        **what,
        **members,
    }
