"""Bounds on what a process does at a time: over the bound, no waiting in line."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from config.errors import Unavailable


class Gate:
    """Lets a fixed number of callers in at a time."""

    def __init__(self, places: int) -> None:
        """Take how many may be inside."""
        self._places = threading.Semaphore(places)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Run the block inside; raise Unavailable at once if the gate is full."""
        if not self._places.acquire(blocking=False):
            raise Unavailable("Too many reads are in flight; try again shortly.")
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
