"""
A season's statements are planned while its tables have a page, and used when they have many.

So they go by their indexes even there, where to read all of a table would cost less.
"""

from typing import Any

import psycopg
import pytest
from django.db import connections

from config import db
from tests.plans.big_season import BigSeason, young
from tests.plans.case import Case
from tests.plans.cases import ALIASES, SMALL, indexes_named_by
from tests.plans.explaining import Explainer

OPTIONS = """
SELECT relname, reloptions FROM pg_class WHERE relkind = 'r' AND relname ~ ('_n' || %s || '$')
"""
EVENTS = ("vacuum", "vacuum_insert", "analyze")
PLANS_MADE = "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = %s"

every_statement = pytest.mark.parametrize(
    ("alias", "name"),
    [(alias, name) for alias, statements in ALIASES.items() for name in statements],
)


# What a statement wrote is rolled back, but its rows stay where they were.
WRITES_MANY = {"apply_results", "take_results", "insert_results"}


@pytest.fixture
def database(shared: str, big: BigSeason, statistics: str) -> str:
    """Return the database of a few young seasons, of whose tables nothing is known."""
    return shared


def first_case(database: str, alias: str, name: str) -> Case:
    season = young(database, "other-1" if name in WRITES_MANY else "other-0")
    return next(iter(ALIASES[alias][name].values()))(season)


@every_statement
def test_it_is_read_by_the_indexes_that_are_right_for_a_big_one(
    database: str, explainer: Explainer, alias: str, name: str
) -> None:
    case = first_case(database, alias, name)
    plan = explainer.plan(case.statement, case.params, using=alias)
    assert indexes_named_by(name) <= plan.indexes
    assert plan.read_from_end_to_end <= SMALL


@pytest.mark.parametrize("name", ALIASES["reads"])
def test_a_read_is_planned_once(database: str, name: str) -> None:
    case = first_case(database, "reads", name)
    connections["reads"].ensure_connection()  # One for all, instead of any of the pool.
    for _ in range(10):
        db.execute(case.statement, using="reads", **case.params)
    raw = connections["reads"].connection.cursor()
    text = db._native(case.statement).text.decode()
    for_any_values, for_these = raw.execute(PLANS_MADE, [text], prepare=False).fetchall()[0]
    assert for_any_values >= 10
    assert for_these == 0


def test_autovacuum_leaves_its_tables_alone(
    database: str, superuser: "psycopg.Connection[Any]"
) -> None:
    namespace = young(database, "other-0").season.namespace
    found = dict(superuser.execute(OPTIONS, [namespace]).fetchall())
    assert len(found) == 4
    for options in found.values():
        assert set(options) >= {f"autovacuum_{event}_threshold=10000" for event in EVENTS}
