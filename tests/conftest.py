"""A test that touches the database has one of its own, or shares one with its module."""

import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from leaderboard.api.kept import KEPT
from leaderboard.api.known import KNOWN
from leaderboard.front import FRONT
from tests.factories import make_season, unused_slug
from tests.own_database import (
    Clones,
    Once,
    administer,
    alone,
    connect_to_damage,
    drop_database,
    use_database,
)

# Examples share the fixtures of their test, and take as long as a noisy machine needs.
hypothesis.register_profile(
    "laurel", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
hypothesis.load_profile("laurel")


# What a page of the admin shows, and what a tool prints, is the same on every PostgreSQL.
SAME_ON_EVERY_SERVER = {"admin", "benchmarks", "season_demo", "simulation"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Let one process run all tests that share a database: a module's, or those of plans.

    What asks a database is marked so, for it is asked of every PostgreSQL that there is;
    tests that start a server themselves carry the mark where they stand.
    """
    for item in items:
        folder = item.path.parent.name
        group = folder if folder == "plans" else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
        if "clones" in _fixtures_of(item) and folder not in SAME_ON_EVERY_SERVER:
            item.add_marker(pytest.mark.database)


def _fixtures_of(item: pytest.Item) -> list[str]:
    return item.fixturenames if isinstance(item, pytest.Function) else []


@pytest.fixture(scope="session")
def clones(django_db_blocker: DjangoDbBlocker) -> Iterator[Clones]:
    """Return clones of a migrated database."""
    template = f"laurel_template_{uuid.uuid4().hex[:12]}"
    administer(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(template)))
    # A migration sets something of the role: two processes at once would be in each other's way.
    with django_db_blocker.unblock(), alone("migrating a template"):
        use_database(template)
        call_command("migrate", verbosity=0)
        use_database(None)
    clones = Clones(template)
    yield clones
    clones.close()
    drop_database(template)


@pytest.fixture
def database(clones: Clones, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Give the test an empty database of its own, and return its name."""
    name = clones.take()
    with django_db_blocker.unblock():
        use_database(name)
        yield name
        use_database(None)
    clones.give_back(name)


@pytest.fixture(scope="module")
def database_of_module(clones: Clones) -> Iterator[str]:
    """Make one database for all tests of a module that ask for `shared`."""
    name = clones.take()
    yield name
    use_database(None)
    clones.give_back(name)


@pytest.fixture
def shared(database_of_module: str, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Let the test use the database of its module, which has the seasons of other tests."""
    with django_db_blocker.unblock():
        use_database(database_of_module)
        yield database_of_module


@pytest.fixture(scope="module")
def once_of_module(clones: Clones) -> Iterator[Once]:
    """Keep what a module plays once until its last test is over."""
    once = Once(clones)
    yield once
    once.close()


@pytest.fixture
def once(once_of_module: Once, django_db_blocker: DjangoDbBlocker) -> Iterator[Once]:
    """Play a season once for all tests of the module that only read it: `once(play)`."""
    with django_db_blocker.unblock():
        yield once_of_module


@pytest.fixture
def untouched(once: Once) -> str:
    """Let the test read an open season in which nobody plays, and return its slug."""
    return once(make_season, "season").slug


@pytest.fixture
def season(database: str) -> str:
    """Give the test an open season with scores 0 to 1,000,000, and return its slug."""
    return make_season("season").slug


@pytest.fixture
def slug(shared: str) -> str:
    """Give the test such a season in the database of its module, and return its slug."""
    return make_season(unused_slug()).slug


@pytest.fixture
def superuser(request: pytest.FixtureRequest) -> Iterator["psycopg.Connection[Any]"]:
    """Give the test a connection that damages things on purpose: triggers do not fire."""
    its_own = "database" in request.fixturenames
    database = request.getfixturevalue("database" if its_own else "shared")
    with connect_to_damage(database) as connection:
        yield connection


@pytest.fixture(autouse=True)
def _reads_are_never_remembered() -> None:
    settings.CURRENT_VERSION_SECONDS = 0
    KNOWN.forget()
    KEPT.forget()
    FRONT.forget()
