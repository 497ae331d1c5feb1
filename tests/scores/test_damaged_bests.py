"""Writes to a season whose bests are lost or damaged: refused, and nothing is stored."""

from typing import Any

import psycopg
import pytest

from config.errors import Unavailable
from scores.models import Ledger
from seasons.models import Season
from tests.factories import apply, correct, event, publish

Superuser = psycopg.Connection[Any]


def namespace(slug: str) -> int:
    return Season.objects.get(slug=slug).namespace


def damage(superuser: Superuser, slug: str, statement: str) -> None:
    assert superuser.execute(statement.encode(), [namespace(slug)]).rowcount > 0


def require_refused(slug: str) -> None:
    rows = Ledger.objects.filter(namespace=namespace(slug)).count()
    with pytest.raises(Unavailable):
        apply(slug, event("ann", 99, 9))
    with pytest.raises(Unavailable):
        correct(slug, "ann", 9, corrected_score=5)
    assert Ledger.objects.filter(namespace=namespace(slug)).count() == rows


@pytest.fixture
def ann(slug: str) -> str:
    """Give the test a season in which ann has 10 and 20, by two results, and return its slug."""
    apply(slug, event("ann", 10, 1), event("ann", 20, 2))
    publish(slug)
    return slug


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM scores_best WHERE namespace = %s",
        "DELETE FROM scores_best WHERE namespace = %s AND player_id = ''",
    ],
    ids=["all", "the sentinel"],
)
def test_without_bests_nothing_is_taken(ann: str, superuser: Superuser, statement: str) -> None:
    damage(superuser, ann, statement)
    require_refused(ann)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM scores_best WHERE namespace = %s AND player_id = 'ann'",
        "UPDATE scores_best SET change_no = 1 WHERE namespace = %s AND player_id = 'ann'",
    ],
    ids=["a best", "the number of its changes"],
)
def test_a_best_that_the_ledger_belies_takes_nothing(
    ann: str, superuser: Superuser, statement: str
) -> None:
    damage(superuser, ann, statement)
    require_refused(ann)
    assert apply(ann, event("bob", 5))[0].outcome == "improved"


def test_what_is_known_is_answered_also_while_a_best_is_damaged(
    slug: str, superuser: Superuser
) -> None:
    first = event("ann", 10)
    (receipt,) = apply(slug, first)
    damage(superuser, slug, "DELETE FROM scores_best WHERE namespace = %s AND player_id = 'ann'")
    assert apply(slug, first) == [receipt._replace(replayed=True)]
