"""Rows of fixed width, to the server and back, in the binary form of COPY."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import psycopg
from numpy.typing import ArrayLike, NDArray
from psycopg import sql

Connection = psycopg.Connection[tuple[Any, ...]]

_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TRAILER = b"\xff\xff"


class Form(NamedTuple):
    """The columns that are copied, with their types as they travel: big-endian."""

    columns: Mapping[str, str]

    @property
    def record(self) -> np.dtype[np.void]:
        """Return one row as it travels: how many fields, and each with its length before it."""
        fields = [("fields", ">i2")]
        for name, kind in self.columns.items():
            fields += [(f"{name} length", ">i4"), (name, kind)]
        return np.dtype(fields)

    def packed(self, values: Mapping[str, ArrayLike], rows: int) -> bytes:
        """Return that many rows of these values, which are arrays or the same for all."""
        packed = np.zeros(rows, self.record)
        packed["fields"] = len(self.columns)
        for name in self.columns:
            packed[f"{name} length"] = packed[name].itemsize
            packed[name] = values[name]
        return packed.tobytes()


def copy_in(connection: Connection, table: str, form: Form, packs: Iterable[bytes]) -> None:
    """Append packed rows to a table."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, form.columns))
    )
    with connection.cursor().copy(statement) as copy:
        copy.write(_HEADER)
        for pack in packs:
            copy.write(pack)
        copy.write(_TRAILER)


def copy_out(connection: Connection, form: Form, query: sql.Composed) -> NDArray[np.void]:
    """Return the rows of a query, none of whose values is null or of another width."""
    statement = sql.SQL("COPY ({}) TO STDOUT (FORMAT BINARY)").format(query)
    with connection.cursor().copy(statement) as copy:
        # A row at a time comes in: to keep each as an object takes three times its bytes.
        received = bytearray()
        for piece in copy:
            received += piece
    rows = memoryview(received)[len(_HEADER) : -len(_TRAILER)]
    return np.frombuffer(rows, form.record)
