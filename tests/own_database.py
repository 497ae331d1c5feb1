"""Which database the connections of a test go to."""

import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connections
from psycopg import sql

NOWHERE = "laurel_no_test_database"
POOLED = ("default", "reads")
ALIASES = (*POOLED, "proof")


def connect(database: str, **arguments: Any) -> "psycopg.Connection[Any]":
    """Open a connection beside those that the code under test uses."""
    described = connections.settings["default"]
    return psycopg.connect(
        dbname=database,
        host=described["HOST"],
        port=described["PORT"],
        user=described["USER"],
        password=described["PASSWORD"],
        autocommit=True,
        **arguments,
    )


def administer(statement: sql.Composed) -> None:
    """Run a statement on the maintenance database."""
    with connect("postgres") as connection:
        connection.execute(statement)


@contextmanager
def alone(work: str) -> Iterator[None]:
    """Let no other test process do the same work on this server meanwhile."""
    with connect("postgres") as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext(%s))", [work])
        yield


class Clones:
    """
    Databases cloned from a template: one is ready before it is asked for.

    The template must be a migrated database that nobody is connected to.
    """

    def __init__(self, template: str) -> None:
        self._template = template
        self._worker = ThreadPoolExecutor(max_workers=1)
        self._dropped: list[Future[None]] = []
        self._next = self._worker.submit(self._clone)

    def take(self) -> str:
        """Return the name of a database that is nobody else's."""
        ready = self._next
        self._next = self._worker.submit(self._clone)
        return ready.result()

    def give_back(self, name: str) -> None:
        """Drop a database that nobody needs any more."""
        self._dropped.append(self._worker.submit(drop_database, name))

    def close(self) -> None:
        """Drop what was ready, and wait until everything is dropped."""
        self.give_back(self._next.result())
        for dropped in self._dropped:
            dropped.result()
        self._worker.shutdown()

    def _clone(self) -> str:
        name = f"laurel_test_{uuid.uuid4().hex[:12]}"
        administer(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(self._template)
            )
        )
        return name


def drop_database(name: str) -> None:
    """Drop a database, whoever is connected to it."""
    administer(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def use_database(name: str | None) -> None:
    """Let the connections of every thread go to a database; to none without a name."""
    if name is not None and connections.settings["default"]["NAME"] == name:
        return
    for alias in ALIASES:
        connection: Any = connections[alias]
        connection.close()
        if alias in connection._connection_pools:
            connection.close_pool()
        connections.settings[alias]["NAME"] = name or NOWHERE
