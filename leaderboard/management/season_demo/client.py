"""The way to the server: one kept-alive connection, and patience while it is away."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPSConnection
from time import monotonic, sleep
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from leaderboard.management.simulation.connection import CannotRun, Unreachable

TIMEOUT = 30.0
AWAY = frozenset({429, 502, 503, 504})
FORBIDDEN = frozenset({401, 403})
PATIENCE = 30.0
PAUSE, LONGEST_PAUSE = 0.1, 2.0

Json = dict[str, Any]


class Answer(NamedTuple):
    """A reply, and whether an attempt before it may have had effect."""

    status: int
    headers: HTTPMessage
    content: bytes
    body: Json
    retried: bool

    @property
    def code(self) -> tuple[int, str | None]:
        """Return the status, and the code of a refusal."""
        return self.status, self.body.get("code")

    def in_words(self) -> str:
        """Return status and detail."""
        return f"{self.status} {self.body.get('detail', '')}".strip()


class Client:
    """Sends requests one after the other, again while the server is away."""

    def __init__(self, base_url: str, token: str) -> None:
        """Speak to this server as the holder of a token."""
        parts = urlsplit(base_url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._http = kind(parts.hostname or "", parts.port, timeout=TIMEOUT)
        self._base = parts.path.rstrip("/")
        self._headers = {"Accept": "application/json", "Authorization": f"Bearer {token}"}

    def get(
        self,
        path: str,
        query: Mapping[str, object] | None = None,
        headers: Json | None = None,
    ) -> Answer:
        """Read; query members that are None are left out."""
        asked = (query or {}).items()
        given = {name: str(value) for name, value in asked if value is not None}
        return self.ask("GET", f"{path}?{urlencode(given)}" if given else path, headers=headers)

    def post(self, path: str, body: Json) -> Answer:
        """Write, with the same content each time until there is an answer."""
        return self.ask("POST", path, body)

    def ask(
        self, method: str, path: str, body: Json | None = None, *, headers: Json | None = None
    ) -> Answer:
        """
        Return the answer; raise CannotRun if there is none for long.

        A server that says for long that it is away is quoted; a token that it does not take
        is a CannotRun too.
        """
        deadline, pause, retried = monotonic() + PATIENCE, PAUSE, False
        while True:
            over = monotonic() > deadline
            try:
                answer = self.once(method, path, body, headers)._replace(retried=retried)
            except Unreachable as failure:
                if over:
                    raise CannotRun(f"No server answers {path}: {failure}") from failure
            else:
                if answer.status in FORBIDDEN:
                    raise CannotRun(f"The token may not {method} {path}: {answer.in_words()}")
                if over or answer.status not in AWAY:
                    return answer
            sleep(pause)
            pause, retried = min(2 * pause, LONGEST_PAUSE), True

    def once(
        self, method: str, path: str, body: Json | None = None, headers: Json | None = None
    ) -> Answer:
        """Send a request once and return its answer; raise Unreachable if there is none."""
        sent = {**self._headers, **(headers or {})}
        content = None
        if body is not None:
            content = json.dumps(body, separators=(",", ":")).encode()
            sent["Content-Type"] = "application/json"
        try:
            self._http.request(method, self._base + path, content, sent)
            response = self._http.getresponse()
            found = response.read()
        except (OSError, HTTPException) as failure:
            self._http.close()
            raise Unreachable(f"{type(failure).__name__}: {failure}") from failure
        return Answer(response.status, response.headers, found, _object(found), retried=False)

    def close(self) -> None:
        """Close the connection."""
        self._http.close()


def in_path(name: str) -> str:
    """Return an id as it stands in an address."""
    return quote(name, safe="")


def _object(content: bytes) -> Json:
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
