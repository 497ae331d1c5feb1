"""A connection of the benchmark's own, for COPY, VACUUM and what the server counts."""

from typing import Any

import psycopg
from django.db import connections

Connection = psycopg.Connection[tuple[Any, ...]]


def connect() -> Connection:
    """Return a connection to the database of the settings; each statement is a transaction."""
    described = connections.settings["default"]
    return psycopg.connect(
        dbname=described["NAME"],
        user=described["USER"],
        password=described["PASSWORD"],
        host=described["HOST"],
        port=described["PORT"],
        autocommit=True,
    )
