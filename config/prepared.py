"""
Run one statement on a connection that nobody else uses, and nothing around it.

psycopg's cursors can wait with others, stream, and take part in transactions. Being able to costs
as much as it takes to find a rank. So here a statement is prepared once a connection, and run
by libpq itself, with psycopg's own adaptation of what goes in and comes out.
"""

import itertools
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ConnStatus, ExecStatus, Format

STATEMENTS_KEPT = 2_000

_Connection = psycopg.Connection[Any]
_Key = tuple[bytes, tuple[int, ...]]
_prepared: WeakKeyDictionary[_Connection, OrderedDict[_Key, bytes]] = WeakKeyDictionary()


_numbers = itertools.count()


class Fetched(NamedTuple):
    """The rows of a statement, all of them."""

    rows: list[tuple[Any, ...]]

    @property
    def rowcount(self) -> int:
        """How many there are."""
        return len(self.rows)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return them, as a cursor would."""
        return self.rows


def run(connection: _Connection, text: bytes, values: Sequence[Any]) -> Fetched:
    """
    Run a statement that returns rows, with `$1`, `$2`, ... in it, in binary both ways.

    Raises psycopg's error of whatever went wrong; OperationalError if the connection was lost.
    """
    transformer = Transformer(connection)
    sent: Any = transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
    name = _name(connection, text, tuple(transformer.types or ()))
    result = connection.pgconn.exec_prepared(name, sent, transformer.formats, Format.BINARY)
    _check(connection, result, ExecStatus.TUPLES_OK)
    transformer.set_pgresult(result)
    return Fetched(transformer.load_rows(0, result.ntuples, tuple))


def _name(connection: _Connection, text: bytes, types: tuple[int, ...]) -> bytes:
    """Return what a statement is called on a connection, which prepares it the first time."""
    prepared = _prepared.get(connection)
    if prepared is None:
        prepared = _prepared[connection] = OrderedDict()
    name = prepared.get((text, types))
    if name is None:
        name = b"laurel_%d" % next(_numbers)
        _check(connection, connection.pgconn.prepare(name, text, types), ExecStatus.COMMAND_OK)
        prepared[text, types] = name
        _let_the_oldest_go(connection, prepared)
    else:
        prepared.move_to_end((text, types))
    return name


def _let_the_oldest_go(connection: _Connection, prepared: OrderedDict[_Key, bytes]) -> None:
    while len(prepared) > STATEMENTS_KEPT:
        _, name = prepared.popitem(last=False)
        result = connection.pgconn.exec_(b"DEALLOCATE " + name)
        _check(connection, result, ExecStatus.COMMAND_OK)


def _check(connection: _Connection, result: Any, wanted: ExecStatus) -> None:
    if result.status == wanted:
        return
    if connection.pgconn.status == ConnStatus.BAD:
        raise psycopg.OperationalError(result.error_message.decode("utf-8", "replace"))
    raise psycopg.errors.error_from_result(result, "utf-8")
