"""A cheap HTTP client: bodies encoded beforehand, a few connections that stay open."""

import queue
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.client import HTTPConnection
from typing import NamedTuple

import msgspec

from leaderboard.management.benchmarks.errors import CannotMeasure
from scores.rules import Event

EVENTS_A_BATCH = 1_000
TIMEOUT = 60.0
MOST_TRIES = 10
PAUSE_SECONDS = 0.2


class Server(NamedTuple):
    """Where results are sent to, by how many connections at a time."""

    port: int
    path: str
    token: str
    connections: int


def body_of(events: Sequence[Event]) -> bytes:
    """Return the body of a request that applies these results."""
    return msgspec.json.encode({"events": [event.members for event in events]})


def post_all(bodies: Iterable[bytes], server: Server, improving: int = EVENTS_A_BATCH) -> None:
    """Send every body over the first connection that is free; so many of each must improve."""
    waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    for body in (*bodies, *[None] * server.connections):
        waiting.put(body)
    with ThreadPoolExecutor(server.connections) as pool:
        senders = range(server.connections)
        for done in [pool.submit(_post, waiting, server, improving) for _ in senders]:
            done.result()


def _post(waiting: "queue.SimpleQueue[bytes | None]", server: Server, improving: int) -> None:
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    connection = HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT)
    try:
        while body := waiting.get():
            status, text = _answered(connection, server.path, body, headers)
            if status != HTTPStatus.OK or text.count(b'"improved"') != improving:
                raise CannotMeasure(f"A batch got {status}: {text[:300]!r}")
    finally:
        connection.close()


def _answered(
    connection: HTTPConnection, path: str, body: bytes, headers: Mapping[str, str]
) -> tuple[int, bytes]:
    """Send a body, and as a match service does again while it is too much at the moment."""
    for attempt in range(MOST_TRIES):
        time.sleep(attempt * PAUSE_SECONDS)
        connection.request("POST", path, body, headers)
        reply = connection.getresponse()
        text = reply.read()
        if reply.status != HTTPStatus.SERVICE_UNAVAILABLE:
            break
    return reply.status, text
