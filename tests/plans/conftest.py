"""One database for all tests of the folder, with a big season in it."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.own_database import Clones, use_database
from tests.plans.big_season import BigSeason, load
from tests.plans.case import Case
from tests.plans.cases import ALIASES
from tests.plans.explaining import Explainer, Plan
from tests.plans.states import STATES

# A plan for any values, which is kept; and one for the values at hand.
MODES = ("force_generic_plan", "force_custom_plan")
CASES = [
    (alias, name, variant)
    for alias, statements in ALIASES.items()
    for name, variants in statements.items()
    for variant in variants
]


@pytest.fixture(scope="package")
def database_of_module(clones: Clones) -> Iterator[str]:
    """Make one database for all modules of this folder."""
    name = clones.take()
    yield name
    use_database(None)
    clones.give_back(name)


@pytest.fixture(scope="package")
def big(database_of_module: str, django_db_blocker: DjangoDbBlocker) -> BigSeason:
    """Load the big season."""
    with django_db_blocker.unblock():
        use_database(database_of_module)
        return load(database_of_module)


@pytest.fixture(scope="package", params=STATES)
def statistics(request: pytest.FixtureRequest, database_of_module: str, big: BigSeason) -> str:
    """Let the planner know this much about the tables, and return the name of the state."""
    STATES[request.param](database_of_module)
    return str(request.param)


@pytest.fixture(scope="package")
def explainer(big: BigSeason) -> Iterator[Explainer]:
    """Say how statements are executed."""
    explainer = Explainer()
    yield explainer
    explainer.close()


@pytest.fixture(scope="package")
def plans_seen() -> dict[Any, Plan]:
    """Keep the plans that several tests look at."""
    return {}


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    """Return how the server plans prepared statements."""
    return f"-c plan_cache_mode={request.param}"


@pytest.fixture(params=CASES, ids=" ".join)
def key(request: pytest.FixtureRequest) -> tuple[str, str, str]:
    """Return the alias, the statement and the variant of a case."""
    alias, name, variant = request.param
    return alias, name, variant


@pytest.fixture
def case(key: tuple[str, str, str], big: BigSeason) -> Case:
    """Return a statement, what it is asked, and how much it may read."""
    alias, name, variant = key
    return ALIASES[alias][name][variant](big)


@pytest.fixture
def plan(
    shared: str,
    statistics: str,
    key: tuple[str, str, str],
    mode: str,
    case: Case,
    explainer: Explainer,
    plans_seen: dict[Any, Plan],
) -> Plan:
    """Return how the case's statement is executed."""
    seen = (statistics, mode, key)
    if seen not in plans_seen:
        plans_seen[seen] = explainer.plan(case.statement, case.params, using=key[0], mode=mode)
    return plans_seen[seen]
