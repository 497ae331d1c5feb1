"""
Real concurrent transactions, without sleeping and hoping.

Every wait here is for something observable (a barrier, a statement that was reached, a lock
that another session holds, a finished thread) and gives up loudly after PATIENCE seconds.
"""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config import db

PATIENCE = 20.0


class Failure(Exception):
    """What a call is made to fail with."""


class Held:
    """A call that was stopped before one of its statements; it goes on when it is told to."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.may_go_on = threading.Event()
        self.thread: int | None = None
        self.must_fail = False
        self.future: Future[Any] = Future()

    def watch_this_thread(self) -> None:
        """Say that the call runs in the thread that says so."""
        self.thread = threading.get_ident()

    def stop_here(self) -> None:
        """Wait in the call's own thread, once."""
        self.reached.set()
        assert self.may_go_on.wait(PATIENCE), "nobody let it go on"
        if self.must_fail:
            raise Failure

    def fail(self) -> Any:
        """Let the call go on with an exception, and return what came of it."""
        self.must_fail = True
        return self.go_on()

    def go_on(self) -> Any:
        """Let the call go on to its end, and return its result or its exception."""
        self.may_go_on.set()
        return outcome(self.future)


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls at the same moment; return each one's result or exception, in order."""
    start = threading.Barrier(len(calls), timeout=PATIENCE)
    futures = [in_background(call, start.wait) for call in calls]
    return [outcome(future) for future in futures]


def blocked(call: Callable[[], Any]) -> "Future[Any]":
    """Start the call and return once it waits for a lock that another session holds."""
    backend: Future[int] = Future()
    future = in_background(call, lambda: backend.set_result(_backend_pid()))
    process = backend.result(PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if waits_for_a_lock(process):
            return future
        assert not future.done(), f"it did not wait: {outcome(future)!r}"
        time.sleep(0.002)
    raise AssertionError("it neither waited for a lock nor finished")


@contextmanager
def uncommitted(call: Callable[[], Any]) -> Iterator[Held]:
    """Run the call in another thread up to its commit, which waits for the end of the block."""
    with stopped(call, lambda _, statement: statement == db.COMMIT) as held:
        yield held


@contextmanager
def stopped(call: Callable[[], Any], here: Callable[[int, str], bool]) -> Iterator[Held]:
    """
    Run the call in another thread until it is about to send a statement that `here` accepts.

    `here` is given the number of the statement, from 0, and its text. The statement waits for
    the end of the block, or until the call is told to go on.
    """
    held = Held()
    with _watched(held, here):
        held.future = in_background(call, held.watch_this_thread)
        deadline = time.monotonic() + PATIENCE
        while not held.reached.wait(0.01):
            assert not held.future.done(), f"it never got there: {outcome(held.future)!r}"
            assert time.monotonic() < deadline, "it neither got there nor finished"
        yield held
        held.go_on()


@contextmanager
def on_and_on(*calls: Callable[[], Any]) -> Iterator[None]:
    """Run each call again and again in a thread of its own while the block runs."""
    over = threading.Event()

    def repeat(call: Callable[[], Any]) -> int:
        for times in itertools.count():
            if over.is_set():
                return times
            call()
        raise AssertionError

    futures = [in_background(partial(repeat, call)) for call in calls]
    try:
        yield
    finally:
        over.set()
        done = [outcome(future) for future in futures]
    for times in done:
        assert not isinstance(times, Exception), repr(times)
        assert times > 0


def waits_for_a_lock(process: int) -> bool:
    """Return whether a session of the server waits for another one."""
    blocking = db.Statement("SELECT cardinality(pg_blocking_pids(%(process)s::integer)) > 0")
    return db.fetch_one(bool, blocking, using="reads", process=process) is True


def outcome(future: "Future[Any]") -> Any:
    """Return what a call in another thread returned or raised."""
    return future.exception(PATIENCE) or future.result()


def in_background(
    call: Callable[[], Any], first: Callable[[], object] = lambda: None
) -> "Future[Any]":
    """Run a call in a thread of its own, with connections that are given back at its end."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            first()
            future.set_result(call())
        except Exception as failure:
            future.set_exception(failure)
        finally:
            connections.close_all()

    threading.Thread(target=run, daemon=True).start()
    return future


def _backend_pid() -> int:
    connections["default"].ensure_connection()
    process: int = connections["default"].connection.info.backend_pid
    return process


@contextmanager
def _watched(held: Held, here: Callable[[int, str], bool]) -> Iterator[None]:
    run, run_script = db._run, db.run_script
    commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]
    numbers = itertools.count()

    def watch(statement: str) -> None:
        if threading.get_ident() == held.thread and here(next(numbers), statement):
            held.stop_here()

    def watched_run(sql: Any, *arguments: Any) -> Any:
        watch(sql)
        return run(sql, *arguments)

    def watched_script(sql: str, **options: Any) -> None:
        watch(sql)
        run_script(sql, **options)

    def watched_commit(connection: Any) -> None:
        watch(db.COMMIT)
        commit(connection)

    with (
        patch.object(db, "_run", watched_run),
        patch.object(db, "run_script", watched_script),
        patch.object(BaseDatabaseWrapper, "_commit", watched_commit),
    ):
        yield
