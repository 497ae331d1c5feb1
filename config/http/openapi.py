"""
Describe the interface for the OpenAPI document.

Each method of a view says what it is with `operation`; drf-spectacular walks the addresses
and puts the document together. Bodies and replies are described by their Structs.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent

from config.http.parameters import IDENTIFIER, SLUG
from config.problems import CONTENT_TYPE, PROBLEMS

Method = TypeVar("Method", bound=Callable[..., Any])
Json = dict[str, Any]

_SCHEMAS = "#/components/schemas/{name}"
_BODY_CODES = (
    "malformed_json",
    "payload_too_large",
    "unsupported_media_type",
    "validation_failed",
)
_PATH_PATTERNS = {
    "season_id": f"^{SLUG.pattern}$",
    "series_id": f"^{SLUG.pattern}$",
    "player_id": f"^{IDENTIFIER.pattern}$",
    "code": "^[a-z_]{1,64}$",
}


class ProblemFault(msgspec.Struct):
    """One thing wrong with a body."""

    pointer: str
    code: str
    detail: str


class ProblemReply(msgspec.Struct):
    """Why a request was refused (RFC 9457); some codes show members of their own besides."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[ProblemFault] | msgspec.UnsetType = msgspec.UNSET
    current_version: int | msgspec.UnsetType | None = msgspec.UNSET
    leaderboard_version: int | msgspec.UnsetType = msgspec.UNSET
    relocated_cursor: str | msgspec.UnsetType = msgspec.UNSET
    pending: dict[str, int | None] | msgspec.UnsetType | None = msgspec.UNSET


class Operation(NamedTuple):
    """What a method of a view takes and answers."""

    name: str
    summary: str
    reply: type | tuple[type, ...] | str
    body: tuple[type, ...] = ()
    parameters: Sequence[Json] = ()
    codes: tuple[str, ...] = ()
    not_modified: bool = False
    tag: str = "Reading"


def operation(description: Operation) -> Callable[[Method], Method]:
    """Attach its description to a method of a view."""

    def attach(method: Method) -> Method:
        method.operation = description  # type: ignore[attr-defined]
        return method

    return attach


def query_parameter(name: str, schema: Json, description: str) -> Json:
    """Return the description of an optional parameter of the query."""
    return {"name": name, "in": "query", "schema": schema, "description": description}


def query_integer(
    name: str, lowest: int, highest: int, description: str, default: int | None = None
) -> Json:
    """Return the description of an optional integer of the query."""
    schema: Json = {"type": "integer", "minimum": lowest, "maximum": highest}
    if default is not None:
        schema["default"] = default
    return query_parameter(name, schema, description)


def header_parameter(name: str, description: str) -> Json:
    """Return the description of an optional header of the request."""
    schema = {"type": "string"}
    return {"name": name, "in": "header", "schema": schema, "description": description}


class Description(AutoSchema):
    """Turns an Operation into its part of the document."""

    def get_operation(
        self,
        path: str,
        path_regex: str,
        path_prefix: str,
        method: str,
        registry: ComponentRegistry,
    ) -> Json | None:
        """Return the method's part of the document, None if it is not part of it."""
        self.registry = registry
        found: Operation | None = getattr(
            getattr(self.view, method.lower(), None), "operation", None
        )
        return None if found is None else self._described(found, path)

    @property
    def _scope(self) -> str | None:
        scope: str | None = getattr(self.view, "scope", None)
        return scope

    def _described(self, found: Operation, path: str) -> Json:
        described: Json = {
            "operationId": found.name,
            "summary": found.summary,
            "tags": [found.tag],
            "parameters": [*_path_parameters(path), *found.parameters],
            "responses": self._responses(found),
        }
        if found.body:
            described["requestBody"] = {
                "required": True,
                "content": {"application/json": {"schema": self._any_of(found.body)}},
            }
        if self._scope is not None:
            described["security"] = [self._security()]
            described["description"] = f"Needs a service token with scope `{self._scope}`."
        return described

    def _responses(self, found: Operation) -> Json:
        responses: Json = {"200": self._reply(found.reply)}
        if found.not_modified:
            responses["304"] = {"description": "The client has this content already."}
        for code in _codes_of(found, needs_token=self._scope is not None):
            self._add_problem(responses, code)
        return responses

    def _reply(self, reply: type | tuple[type, ...] | str) -> Json:
        if isinstance(reply, str):
            return {"description": "", "content": {reply: {"schema": {"type": "string"}}}}
        schema = self._any_of(reply if isinstance(reply, tuple) else (reply,))
        return {"description": "", "content": {"application/json": {"schema": schema}}}

    def _add_problem(self, responses: Json, code: str) -> None:
        problem = PROBLEMS[code]
        response = responses.setdefault(
            str(problem.status),
            {
                "description": "",
                "content": {CONTENT_TYPE: {"schema": self._ref(ProblemReply)}},
            },
        )
        response["description"] = f"{response['description']} `{code}`".strip()
        if problem.retry_after is not None:
            response["headers"] = {"Retry-After": {"schema": {"type": "string"}}}

    def _any_of(self, shapes: tuple[type, ...]) -> Json:
        schemas = [self._ref(shape) for shape in shapes]
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}

    def _ref(self, shape: type) -> Json:
        (schema,), components = msgspec.json.schema_components([shape], ref_template=_SCHEMAS)
        for name, component in components.items():
            self._register(name, ResolvedComponent.SCHEMA, _with_dollar(component))
        return dict(schema)

    def _security(self) -> Json:
        scheme = {"type": "http", "scheme": "bearer", "description": "A service token."}
        self._register("serviceToken", ResolvedComponent.SECURITY_SCHEMA, scheme)
        return {"serviceToken": []}

    def _register(self, name: str, kind: str, schema: Json) -> None:
        made: Any = ResolvedComponent  # not typed by its authors
        component = made(name=name, type=kind, schema=schema, object=name)
        self.registry.register_on_missing(component)


def _path_parameters(path: str) -> list[Json]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": pattern},
        }
        for name, pattern in _PATH_PATTERNS.items()
        if f"{{{name}}}" in path
    ]


def _codes_of(found: Operation, *, needs_token: bool) -> list[str]:
    codes = {*found.codes, "invalid_parameter", "not_acceptable", "unavailable", "internal_error"}
    if needs_token:
        codes |= {"not_authenticated", "forbidden"}
    if found.body:
        codes |= {*_BODY_CODES}
    if "season_not_found" in codes:
        codes.add("season_retired")
    return [code for code in PROBLEMS if code in codes]


def _with_dollar(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {name: _with_dollar(value) for name, value in schema.items()}
    if isinstance(schema, list):
        return [_with_dollar(value) for value in schema]
    return schema.replace("\\Z", "$") if isinstance(schema, str) else schema
