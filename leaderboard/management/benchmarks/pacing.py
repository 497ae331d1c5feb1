"""
Ask over several connections from one thread, as fast as replies come or at a pace.

One client for HTTP and for Valkey, so that both are asked alike: requests are bytes made
beforehand, replies are read to their end and not decoded.
"""

import os
import re
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import cycle
from selectors import EVENT_READ, SelectSelector
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboard.management.benchmarks.errors import CannotMeasure

HOST = "127.0.0.1"
READ_AT_ONCE = 65_536
LONGEST_WAIT = 0.1
# What is due when the time is over is still asked, but not for ever.
MOST_OVERTIME = 2.0
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Dialogue(NamedTuple):
    """Requests to a port, which are repeated in turn, and whether a reply is there as a whole."""

    port: int
    requests: Sequence[bytes]
    is_whole: Callable[[bytes], bool]


class Pace(NamedTuple):
    """By how many connections, how long, and how often a second: without, as replies come."""

    connections: int
    seconds: float
    rate: float | None = None


class Answered(NamedTuple):
    """How long each request waited since it was due, and how long all of it took."""

    milliseconds: NDArray[np.float64]
    seconds: float

    @property
    def rate(self) -> float:
        """Return the replies a second."""
        return len(self.milliseconds) / self.seconds

    def percentile(self, share: float) -> float:
        """Return the milliseconds within which so many of a hundred were answered."""
        return float(np.percentile(self.milliseconds, share))


def ask(dialogue: Dialogue, pace: Pace) -> Answered:
    """
    Ask at random moments of a given rate, or each connection again as soon as it can.

    At a rate, a request that finds no connection free waits for one, and that counts: a
    server that falls behind is not asked more kindly.
    """
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection((HOST, dialogue.port)))
            for _ in range(pace.connections)
        ]
        selector = stack.enter_context(SelectSelector())
        for connection in connections:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(connection, EVENT_READ)
        return _Round(dialogue, pace, selector, connections).run()


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """Keep this process to one core during the block."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def is_whole_http(received: bytes) -> bool:
    """Return whether a reply has come to its end; any status but 200 is a failure."""
    head, end_of_head, body = received.partition(b"\r\n\r\n")
    if not end_of_head:
        return False
    length = _LENGTH.search(head)
    if not head.startswith(b"HTTP/1.1 200") or length is None:
        raise CannotMeasure(f"A request got {head[:300]!r}")
    return len(body) >= int(length[1])


def is_whole_rank(received: bytes) -> bool:
    """Return whether the two numbers of a rank have come, after a line that says they are two."""
    if not received.startswith(b"*2"):
        raise CannotMeasure(f"A request got {received[:300]!r}")
    return received.count(b"\r\n") == len(("two", "rank", "score"))


class _Round:
    """One measurement: what is due, who is free, what has come."""

    def __init__(
        self,
        dialogue: Dialogue,
        pace: Pace,
        selector: SelectSelector,
        connections: Sequence[socket.socket],
    ) -> None:
        self._dialogue, self._pace, self._selector = dialogue, pace, selector
        self._requests = cycle(dialogue.requests)
        self._free = deque(connections)
        self._since: dict[socket.socket, float] = {}
        self._received: dict[socket.socket, bytes] = {}
        self._waited: list[float] = []

    def run(self) -> Answered:
        began = now = time.perf_counter()
        end = began + self._pace.seconds
        due = _moments(began, end, self._pace.rate)
        following = next(due, None)
        while following is not None or self._since:
            while self._free and following is not None and following <= now:
                self._send(now if self._pace.rate is None else following)
                following = next(due, None)
            self._receive(self._pause(following, now))
            now = time.perf_counter()
            if now > end + MOST_OVERTIME or (self._pace.rate is None and now > end):
                following = None
        return Answered(np.array(self._waited) * 1000, now - began)

    def _send(self, due_at: float) -> None:
        connection = self._free.popleft()
        self._since[connection] = due_at
        self._received[connection] = b""
        connection.sendall(next(self._requests))

    def _pause(self, following: float | None, now: float) -> float:
        if following is None or not self._free:
            return LONGEST_WAIT
        return min(LONGEST_WAIT, max(0.0, following - now))

    def _receive(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            connection = key.fileobj
            assert isinstance(connection, socket.socket)
            received = connection.recv(READ_AT_ONCE)
            if not received:
                raise CannotMeasure("The server closed a connection that was waiting.")
            self._received[connection] += received
            if self._dialogue.is_whole(self._received[connection]):
                self._waited.append(time.perf_counter() - self._since.pop(connection))
                self._free.append(connection)


def _moments(began: float, end: float, rate: float | None) -> Iterator[float]:
    """Return when requests are due: at random moments, or always."""
    if rate is None:
        while True:
            yield began
    random, moment = np.random.default_rng(), began
    while (moment := moment + random.exponential(1 / rate)) < end:
        yield moment
