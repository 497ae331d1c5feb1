"""Bounds on what a process does at a time: a short line, and over its end no waiting at all."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from config.errors import Unavailable


class Gate:
    """Lets a fixed number of callers in at a time, and some more wait for a moment."""

    def __init__(self, places: int, *, line: int = 0, patience: float = 0.0) -> None:
        """Take how many may be inside, how many may wait, and how long (seconds)."""
        self._places = threading.Semaphore(places)
        self._line = threading.Semaphore(line)
        self._patience = patience

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Run the block inside; raise Unavailable at once if the gate and its line are full."""
        if not (self._places.acquire(blocking=False) or self._waited()):
            raise Unavailable("Too many requests are in flight; try again shortly.")
        try:
            yield
        finally:
            self._places.release()

    @contextmanager
    def entered_if_free(self) -> Iterator[bool]:
        """Run the block with whether there was a place."""
        free = self._places.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                self._places.release()

    def _waited(self) -> bool:
        if not self._line.acquire(blocking=False):
            return False
        try:
            return self._places.acquire(timeout=self._patience)
        finally:
            self._line.release()
