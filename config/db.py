"""
The only door to raw SQL: load a statement from its file, run it, type its rows.

A statement's placeholders look alike, but those named in `LITERALS` are a season's own
integers: they are written into the text, so that the planner sees one partition and each
season has its own prepared statement.
"""

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import psycopg
from django.db import connections, transaction
from django.db import utils as django_errors

from config import prepared
from config.arrays import array_text

Row = TypeVar("Row")

LITERALS = frozenset(
    {
        "namespace",
        "ledger_namespace",
        "other_namespace",
        "season_id",
        "board",
        "lower_score",
        "bucket_width",
        "keeps_latest",
        "has_times",
        "lock_milliseconds",
        "lock_class",
    }
)
LOST = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    # The server ended the session of a client that was frozen: psycopg calls that internal.
    psycopg.errors.IdleInTransactionSessionTimeout,
    django_errors.OperationalError,
)
WORTH_REPEATING = (
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.QueryCanceled,
)

COMMIT = "COMMIT"
# The database that reads go to, each statement by itself: no transaction, no state.
READS = "reads"

_OPEN = (psycopg.pq.TransactionStatus.INTRANS, psycopg.pq.TransactionStatus.INERROR)
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")

transact = transaction.atomic(durable=True)


class NotInTransaction(RuntimeError):
    """A step that must be part of a transaction ran outside one."""


class InTransaction(RuntimeError):
    """An operation, which commits by itself, ran inside another transaction."""


class Native(NamedTuple):
    """A statement as PostgreSQL knows it, with `$1`, `$2`, ..., and the names of these."""

    text: bytes
    parameters: tuple[str, ...]


class Statement(str):
    """The text of one statement, with its comments taken out."""

    __slots__ = ()

    def literal(self, **integers: int) -> "Statement":
        """Return the text with a season's integers written into it."""
        return _with_literals(self, tuple(integers.items()))

    def with_parts(self, **parts: "Statement") -> "Statement":
        """Return the text with queries in place of the relations that it leaves open."""
        text = str(self)
        for name, part in parts.items():
            if f"%({name})s" not in text:
                raise ValueError(f"the statement has no place for {name}")
            text = text.replace(f"%({name})s", f"(\n{part}\n)")
        return Statement(text)


def statement(module_file: str, name: str) -> Statement:
    """Read `sql/<name>.sql` of the app that the calling module belongs to."""
    folder = Path(module_file).parent
    while not (folder / "sql").is_dir():
        folder = folder.parent
    text = (folder / "sql" / f"{name}.sql").read_text("utf-8")
    lines = [re.sub(r"--.*", "", line).strip() for line in text.splitlines()]
    return Statement("\n".join(line for line in lines if line).rstrip(";"))


def fetch_all(
    row: Callable[..., Row], sql: Statement, *, using: str = "default", **params: Any
) -> list[Row]:
    """Run a statement whose result columns are, in order, the arguments of `row`."""
    return list(starmap(row, _run(sql, using, params).fetchall()))


def fetch_one(
    row: Callable[..., Row], sql: Statement, *, using: str = "default", **params: Any
) -> Row | None:
    """Like `fetch_all`, for a statement that returns at most one row."""
    rows = _run(sql, using, params).fetchall()
    if len(rows) > 1:
        raise ValueError(f"expected at most one row, got {len(rows)}")
    return row(*rows[0]) if rows else None


def execute(sql: Statement, *, using: str = "default", **params: Any) -> int:
    """Run a statement for its effect and return the number of rows it touched."""
    return int(_run(sql, using, params).rowcount)


def run_script(sql: str, *, using: str = "default") -> None:
    """Run several statements without parameters in one round trip."""
    connection = connections[using]
    connection.ensure_connection()
    connection.connection.cursor().execute(str(sql), prepare=False)


def require_transaction(using: str = "default") -> None:
    """Raise NotInTransaction unless the caller has opened a transaction."""
    raw = connections[using].connection
    status = raw.info.transaction_status if raw is not None else None
    if not connections[using].in_atomic_block and status != psycopg.pq.TransactionStatus.INTRANS:
        raise NotInTransaction


@contextlib.contextmanager
def rolled_back_on_error() -> Iterator[None]:
    """
    End the transaction that a script of statements left open when one of them failed.

    Raises InTransaction inside another one: the script's COMMIT would end that.
    """
    connection = connections["default"]
    if connection.connection is not None and _is_in_transaction(connection):
        raise InTransaction
    try:
        yield
    except BaseException:
        _roll_back(connections["default"])
        raise


@contextlib.contextmanager
def transaction_opened_by(first_trip: Statement) -> Iterator[None]:
    """
    Run the block in the transaction that a string of statements opens in one round trip.

    The string begins with BEGIN and goes unprepared, so that the limits it sets hold for
    the lock it waits for. The block's end commits; an exception rolls back.
    """
    with rolled_back_on_error():
        run_script(first_trip)
        yield
        run_script(COMMIT)


def release(using: str) -> None:
    """Give the thread's connection back to its pool before a wait."""
    connections[using].close()


def _run(
    sql: Statement, using: str, params: dict[str, Any]
) -> "psycopg.Cursor[Any] | prepared.Fetched":
    connection: Any = connections[using]
    if using == READS and connection.connection is None:
        return _run_singly(connection.pool, sql, params)
    if connection.connection is None:
        connection.ensure_connection()
    alone = not connection.in_atomic_block and _is_idle(connection)
    try:
        return _sent(connection.connection, sql, params)
    except LOST:
        # Every statement that runs outside a transaction may run twice.
        if not _forgot_lost_connection(using) or not alone:
            raise
    connection.ensure_connection()
    return _sent(connection.connection, sql, params)


def _run_singly(
    pool: Any, sql: Statement, params: dict[str, Any], *, again: bool = True
) -> prepared.Fetched:
    """Run a statement on a connection that is taken from the pool for it alone."""
    native = _native(sql)
    raw = _taken(pool)
    try:
        return prepared.run(raw, native.text, _values(native, params))
    except LOST:
        if not again or not raw.closed:
            raise
    finally:
        pool.putconn(raw)
    pool.check()
    return _run_singly(pool, sql, params, again=False)


def _taken(pool: Any) -> Any:
    if pool.closed:
        pool.open()
    return pool.getconn()


def _sent(raw: Any, sql: Statement, params: dict[str, Any]) -> "psycopg.RawCursor[Any]":
    native = _native(sql)
    return psycopg.RawCursor(raw).execute(native.text, _values(native, params), binary=True)


def _values(native: Native, params: dict[str, Any]) -> list[Any]:
    return [_sendable(params[name]) for name in native.parameters]


def _is_idle(connection: Any) -> bool:
    status: int = connection.connection.pgconn.transaction_status
    return status == psycopg.pq.TransactionStatus.IDLE


def _is_in_transaction(connection: Any) -> bool:
    status: int = connection.connection.pgconn.transaction_status
    return connection.in_atomic_block or status in _OPEN


def _sendable(value: Any) -> Any:
    return (array_text(value) or value) if type(value) is list else value


def _roll_back(connection: Any) -> None:
    raw = connection.connection
    if raw is None or _forgot_lost_connection(connection.alias):
        return
    try:
        if not _is_idle(connection):
            raw.cursor().execute("ROLLBACK", prepare=False)
    except LOST:
        _forgot_lost_connection(connection.alias)


def _forgot_lost_connection(using: str) -> bool:
    """Give a broken connection back, have its pool look at the others; False if it works."""
    connection: Any = connections[using]
    if connection.connection is None or not connection.connection.closed:
        return False
    with contextlib.suppress(*LOST):
        connection.close()
    with contextlib.suppress(*LOST):
        if connection.pool:
            connection.pool.check()
    return True


@functools.lru_cache(maxsize=20_000)
def _with_literals(sql: Statement, integers: tuple[tuple[str, int], ...]) -> Statement:
    text = str(sql)
    for name, value in integers:
        if name not in LITERALS:
            raise ValueError(f"{name} is not one of a season's integers")
        text = text.replace(f"%({name})s", str(int(value)))
    return Statement(text)


@functools.lru_cache(maxsize=20_000)
def _native(sql: Statement) -> Native:
    # psycopg would do the same, but forgets all but 128 texts, and long ones at once.
    names = dict.fromkeys(_PLACEHOLDER.findall(sql))
    numbers = {name: f"${number}" for number, name in enumerate(names, 1)}
    text = _PLACEHOLDER.sub(lambda found: numbers[found[1]], sql).replace("%%", "%")
    return Native(text.encode(), tuple(names))
