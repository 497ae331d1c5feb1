"""A cheap HTTP client: bodies encoded beforehand, a few connections that stay open."""

import queue
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.client import HTTPConnection
from typing import NamedTuple

import msgspec

from leaderboard.management.benchmarks.errors import CannotMeasure
from scores.rules import Event

EVENTS_A_BATCH = 1_000
TIMEOUT = 60.0


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
            connection.request("POST", server.path, body, headers)
            reply = connection.getresponse()
            text = reply.read()
            if reply.status != HTTPStatus.OK or text.count(b'"improved"') != improving:
                raise CannotMeasure(f"A batch got {reply.status}: {text[:300]!r}")
    finally:
        connection.close()
