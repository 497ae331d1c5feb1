"""A connection of the benchmark's own, for COPY, VACUUM and what the server counts."""

import time
from typing import Any

import psycopg
from django.db import connections

OTHERS_AT_WORK = (
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)
SECONDS_BETWEEN_LOOKS, LONGEST_WAIT = 0.05, 30.0
LOG_POSITION = "SELECT pg_current_wal_insert_lsn() - '0/0'"

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


def number(connection: Connection, query: str, *values: object) -> float:
    """Return the one number that a query finds."""
    found = connection.execute(query.encode(), values or None).fetchone()
    assert found is not None
    return float(found[0])


def log_position(connection: Connection) -> float:
    """Return how many bytes the server has written into its log."""
    return number(connection, LOG_POSITION)


def wait_until_others_are_done(connection: Connection) -> None:
    """Wait, for half a minute at most, until no other session is at work on anything."""
    end = time.monotonic() + LONGEST_WAIT
    while number(connection, OTHERS_AT_WORK) and time.monotonic() < end:
        time.sleep(SECONDS_BETWEEN_LOOKS)
