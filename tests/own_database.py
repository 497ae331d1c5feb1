"""Which database the connections of a test go to."""

from typing import Any

import psycopg
from django.db import connections
from psycopg import sql

NOWHERE = "laurel_no_test_database"
ALIASES = ("default", "reads")


def administer(statement: sql.Composed) -> None:
    """Run a statement on the maintenance database."""
    described = connections.settings["default"]
    with psycopg.connect(
        dbname="postgres",
        host=described["HOST"],
        port=described["PORT"],
        user=described["USER"],
        password=described["PASSWORD"],
        autocommit=True,
    ) as connection:
        connection.execute(statement)


def use_database(name: str | None) -> None:
    """Let the connections of every thread go to a database; to none without a name."""
    for alias in ALIASES:
        connection: Any = connections[alias]
        connection.close()
        if alias in connection._connection_pools:
            connection.close_pool()
        connections.settings[alias]["NAME"] = name or NOWHERE
