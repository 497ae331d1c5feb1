"""Which database the connections of a test go to."""

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import psycopg
from django.db import connections
from psycopg import sql

P = ParamSpec("P")
T = TypeVar("T")
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


def connect_to_damage(database: str | None = None) -> "psycopg.Connection[Any]":
    """Open a connection for which triggers do not fire, to the test's database by default."""
    name = database or connections.settings["default"]["NAME"]
    return connect(name, options="-c session_replication_role=replica")


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

    The template must be a migrated database that nobody is connected to. Its files are copied,
    since the other way writes each page to the log, too, which is thrown away with the rest.
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
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(
                sql.Identifier(name), sql.Identifier(self._template)
            )
        )
        return name


class Once:
    """
    What is played once for all tests of a module that only read it, each in its own database.

    It is read-only afterwards: a test that would change what others read fails.
    """

    def __init__(self, clones: Clones) -> None:
        self._clones = clones
        self._names: list[str] = []
        self._played: dict[object, tuple[str, Any]] = {}

    def __call__(self, play: Callable[P, T], *arguments: P.args, **members: P.kwargs) -> T:
        """Let the test read what this left behind, and return what it returned."""
        key = (play, arguments, tuple(members.items()))
        if key not in self._played:
            self._names.append(self._clones.take())
            use_database(self._names[-1])
            self._played[key] = (self._names[-1], play(*arguments, **members))
            make_read_only(self._names[-1])
        name, returned = self._played[key]
        use_database(name)
        return returned  # type: ignore[no-any-return]

    def close(self) -> None:
        """Drop the databases."""
        use_database(None)
        for name in self._names:
            self._clones.give_back(name)


def make_read_only(name: str) -> None:
    """Refuse every change of a database from now on."""
    administer(
        sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(
            sql.Identifier(name)
        )
    )
    use_database(None)


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
