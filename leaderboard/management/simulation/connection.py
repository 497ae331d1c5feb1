"""One kept-alive HTTP connection."""

import json
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPSConnection
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

TIMEOUT = 30.0
Json = dict[str, Any]


class Unreachable(Exception):
    """The server did not answer."""


class CannotRun(Exception):
    """The simulation cannot run, for the reason given."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply with its times of asking and arriving, by the monotonic clock."""

    status: int
    headers: HTTPMessage
    body: Json
    sent: float
    arrived: float

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.arrived - self.sent

    def in_words(self) -> str:
        """Return status, code and detail."""
        detail = f"{self.body.get('code', '')} {self.body.get('detail', '')}".strip()
        return f"{self.status} {detail} {self.body.get('errors', '')}".strip()


class Connection:
    """Sends requests one after the other; after a failure the next one connects anew."""

    def __init__(self, base_url: str, token: str | None = None) -> None:
        """Speak to this server, as the holder of the token if there is one."""
        parts = urlsplit(base_url)
        secure = parts.scheme == "https"
        self._http = (HTTPSConnection if secure else HTTPConnection)(
            parts.hostname or "", parts.port, timeout=TIMEOUT
        )
        self._path = parts.path.rstrip("/")
        self._headers = {"Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._sent = 0.0

    def ask(
        self, method: str, path: str, body: Json | None = None, headers: Json | None = None
    ) -> Reply:
        """Send a request and return its reply; raise Unreachable if there is none."""
        self.send(method, path, body, headers)
        return self.receive()

    def send(
        self, method: str, path: str, body: Json | None = None, headers: Json | None = None
    ) -> None:
        """Send a request whose reply `receive` will return."""
        sent_headers = {**self._headers, **(headers or {})}
        content = None
        if body is not None:
            content = json.dumps(body, separators=(",", ":")).encode()
            sent_headers["Content-Type"] = "application/json"
        self._sent = monotonic()
        try:
            self._http.request(method, self._path + path, content, sent_headers)
        except (OSError, HTTPException) as failure:
            raise self._lost(failure) from failure

    def receive(self) -> Reply:
        """Return the reply to the request that was sent."""
        try:
            response = self._http.getresponse()
            content = response.read()
        except (OSError, HTTPException) as failure:
            raise self._lost(failure) from failure
        arrived = monotonic()
        return Reply(response.status, response.headers, _object(content), self._sent, arrived)

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def _lost(self, failure: Exception) -> Unreachable:
        self._http.close()
        return Unreachable(f"{type(failure).__name__}: {failure}")


def _object(content: bytes) -> Json:
    """Return the JSON object of a body, an empty one for a body that is none."""
    if not content:
        return {}
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
