"""A partition that takes rows without keeping its indexes: they are built at the end, at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import LiteralString

from psycopg import sql

from leaderboard.management.benchmarks.connecting import Connection

# A constraint's index goes with the constraint, so it comes first.
_DROPS: tuple[tuple[LiteralString, LiteralString], ...] = (
    (
        "SELECT conname FROM pg_constraint "
        "WHERE conrelid = %s::regclass AND contype IN ('p', 'u')",
        "ALTER TABLE {table} DROP CONSTRAINT {name}",
    ),
    (
        "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass",
        "DROP INDEX {name}",
    ),
)


@contextmanager
def detached(connection: Connection, parent: str, namespace: int) -> Iterator[str]:
    """
    Detach a partition and drop its indexes for the block, which gets its name.

    Attached again it gets those of its parent; its CHECK spares it a scan. All is one
    transaction and locks the parent against everybody: only for a database without users.
    """
    table = f"{parent}_n{namespace}"
    parts = {
        "parent": sql.Identifier(parent),
        "table": sql.Identifier(table),
        "namespace": sql.Literal(namespace),
    }
    with connection.transaction():
        connection.execute(
            sql.SQL("ALTER TABLE {parent} DETACH PARTITION {table}").format(**parts)
        )
        _drop_indexes(connection, table)
        yield table
        attach = "ALTER TABLE {parent} ATTACH PARTITION {table} FOR VALUES IN ({namespace})"
        connection.execute(sql.SQL(attach).format(**parts))


def _drop_indexes(connection: Connection, table: str) -> None:
    for find, drop in _DROPS:
        for (name,) in connection.execute(find, [table]).fetchall():
            parts = {"table": sql.Identifier(table), "name": sql.Identifier(name)}
            connection.execute(sql.SQL(drop).format(**parts))
