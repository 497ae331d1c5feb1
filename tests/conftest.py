"""Every test that touches the database has one of its own, cloned from a migrated template."""

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from leaderboard.api.top import forget_tops
from tests.factories import make_season
from tests.own_database import administer, use_database


@pytest.fixture(scope="session")
def template(django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Return the name of a migrated database that nobody is connected to."""
    name = f"laurel_template_{uuid.uuid4().hex[:12]}"
    administer(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    with django_db_blocker.unblock():
        use_database(name)
        call_command("migrate", verbosity=0)
        use_database(None)
    yield name
    administer(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def database(template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Give the test an empty database of its own, and return its name."""
    name = f"laurel_test_{uuid.uuid4().hex[:12]}"
    administer(
        sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(template)
        )
    )
    with django_db_blocker.unblock():
        use_database(name)
        yield name
        use_database(None)
    administer(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def season(database: str) -> str:
    """Give the test an open season with scores 0 to 1,000,000, and return its slug."""
    return make_season("season").slug


@pytest.fixture
def superuser(database: str) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """Give the test a connection that damages things on purpose: triggers do not fire."""
    described = connections.settings["default"]
    with psycopg.connect(
        dbname=database,
        host=described["HOST"],
        port=described["PORT"],
        user=described["USER"],
        password=described["PASSWORD"],
        autocommit=True,
        options="-c session_replication_role=replica",
    ) as connection:
        yield connection


@pytest.fixture(autouse=True)
def _reads_are_never_remembered() -> None:
    settings.CURRENT_VERSION_SECONDS = 0
    forget_tops()
