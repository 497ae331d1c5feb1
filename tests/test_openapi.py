"""What is sent agrees with the OpenAPI document, and no input at all makes a 5xx."""

import json
import os
import re
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from config.http.openapi import Description
from config.http.parameters import IDENTIFIER, SLUG
from config.urls import urlpatterns
from config.wsgi import application
from scores.operations.create_token import SCOPES
from tests.api import client, token
from tests.factories import board, make_final
from tests.series import make_series

EVERYTHING = bool(os.environ.get("EVERYTHING"))
EXAMPLES = 300 if EVERYTHING else 20
# What only this server can make, or what several members say together, no schema describes;
# nor that 1.0 is not an integer.
BEYOND_A_SCHEMA = {
    "/internal/v1/players/profiles",
    "/internal/v1/players/{player_id}/friends",
    "/internal/v1/players/{player_id}/profile",
    "/internal/v1/series/{series_id}/scores:apply",
    "/internal/v1/seasons/{season_id}/changes",
    "/internal/v1/seasons/{season_id}/corrections",
    "/internal/v1/seasons/{season_id}/held",
    "/internal/v1/seasons/{season_id}/results",
    "/internal/v1/seasons/{season_id}/scores:apply",
    "/internal/v1/seasons/{season_id}/settlements",
    "/v1/seasons",
    "/v1/seasons/{season_id}/leaderboard/page",
    "/v1/seasons/{season_id}/leaderboard/rank-of",
    "/v1/series",
    "/v1/series/{series_id}",
}
# The addresses of API.md that there are so far.
ADDRESSES = {
    "/internal/v1/seasons/{season_id}/scores:apply": "post",
    "/internal/v1/seasons/{season_id}/corrections": "post",
    "/internal/v1/seasons/{season_id}/changes": "get",
    "/internal/v1/seasons/{season_id}/held": "get",
    "/internal/v1/seasons/{season_id}/results": "get",
    "/internal/v1/seasons/{season_id}/settlements": "post",
    "/internal/v1/series/{series_id}/scores:apply": "post",
    "/internal/v1/players/profiles": "post",
    "/internal/v1/players/{player_id}/profile": "put",
    "/internal/v1/players/{player_id}/friends": "put",
    "/v1/seasons": "get",
    "/v1/seasons/{season_id}": "get",
    "/v1/seasons/{season_id}/leaderboard/top": "get",
    "/v1/seasons/{season_id}/leaderboard/page": "get",
    "/v1/seasons/{season_id}/leaderboard/lookup": "post",
    "/v1/seasons/{season_id}/leaderboard/rank-of": "get",
    "/v1/seasons/{season_id}/leaderboard/distribution": "get",
    "/v1/seasons/{season_id}/players/{player_id}/friends": "get",
    "/v1/seasons/{season_id}/players/{player_id}/rank": "get",
    "/v1/seasons/{season_id}/players/{player_id}/neighbors": "get",
    "/v1/series": "get",
    "/v1/series/{series_id}": "get",
    "/livez": "get",
    "/readyz": "get",
    "/metrics": "get",
    "/problems/{code}": "get",
}

OF_FINAL_SEASONS = ("/results", "/settlements")

STATUSES = ["2xx", "304", "401", "403", "404", "409", "410", "503"]
CONFIG = SchemathesisConfig.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": STATUSES}}}
)

document = schemathesis.openapi.from_wsgi("/api/schema/", application, config=CONFIG)


@pytest.fixture
def bearer(season: str) -> str:
    board(season, **{"player-1": 5, "0": 7, "a": 7})
    make_series(slug="ladder")
    return token(*SCOPES)


@document.parametrize()
@settings(
    max_examples=EXAMPLES,
    derandomize=not EVERYTHING,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_reply_is_as_the_document_says(case: Any, bearer: str) -> None:
    name_what_there_is(case)
    if case.operation.path.endswith(OF_FINAL_SEASONS):
        make_final("season")
    # Unknown parameters of a query are ignored, which the check of wrong data cannot know.
    excluded = [negative_data_rejection] if case.method == "GET" else []
    if case.operation.path in BEYOND_A_SCHEMA:
        excluded.append(positive_data_acceptance)
    # Inside a process nobody unpacks what is compressed.
    headers = {"Authorization": f"Bearer {bearer}", "Accept-Encoding": "identity"}
    case.call_and_validate(headers=headers, excluded_checks=excluded)


def name_what_there_is(case: Any) -> None:
    """Let half of the requests be about a season and a player that exist."""
    for name, pattern, existing in [
        ("season_id", SLUG, "season"),
        ("series_id", SLUG, "ladder"),
        ("player_id", IDENTIFIER, "player-1"),
    ]:
        text = str((case.path_parameters or {}).get(name, ""))
        if re.fullmatch(pattern, text) and len(text) % 2:
            case.path_parameters[name] = existing


def test_the_document_has_every_address_and_no_other() -> None:
    paths = json.loads(client.get("/api/schema/").content)["paths"]
    assert {path: next(iter(methods)) for path, methods in paths.items()} == ADDRESSES
    assert all(len(methods) == 1 for methods in paths.values())


def test_every_operation_tells_its_errors_and_its_scope() -> None:
    paths = json.loads(client.get("/api/schema/").content)["paths"]
    for path, methods in paths.items():
        (operation,) = methods.values()
        assert {"200", "400", "406", "503"} <= set(operation["responses"])
        if path.startswith("/internal/"):
            assert operation["security"] == [{"serviceToken": []}]
            assert {"401", "403"} <= set(operation["responses"])
            assert any(f"`{scope}`" in operation["description"] for scope in SCOPES)
        else:
            assert "security" not in operation
        if "requestBody" in operation:
            assert {"413", "415", "422"} <= set(operation["responses"])


def test_every_view_of_the_interface_describes_itself() -> None:
    views = [
        entry.callback.cls for entry in _entries(urlpatterns) if hasattr(entry.callback, "cls")
    ]
    undescribed = {
        view.__name__
        for view in views
        if isinstance(view.schema, Description)
        and not any(
            hasattr(getattr(view, name, None), "operation") for name in ("get", "post", "put")
        )
    }
    assert undescribed == {"Document"}


def _entries(patterns: Any) -> list[Any]:
    found = []
    for entry in patterns:
        nested = getattr(entry, "url_patterns", None)
        found += _entries(nested) if nested is not None else [entry]
    return found
