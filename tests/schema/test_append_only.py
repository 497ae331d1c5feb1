"""What was accepted stays as it is, also against somebody with psql."""

import psycopg
import pytest

from scores.models import Ledger
from seasons.models import Season
from tests.factories import apply, event
from tests.own_database import connect

CHANGES = [
    "UPDATE {} SET score = 999999",
    "DELETE FROM {}",
    "TRUNCATE {}",
    "TRUNCATE {} CASCADE",
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", ["scores_ledger", "scores_ledger_n{namespace}"])
def test_the_ledger_cannot_be_changed(slug: str, shared: str, change: str, table: str) -> None:
    apply(slug, event("ann", 10))
    namespace = Season.objects.get(slug=slug).namespace
    table = table.format(namespace=namespace)
    with connect(shared) as connection, pytest.raises(psycopg.errors.IntegrityError):
        connection.execute(change.format(table).encode())
    assert Ledger.objects.get(namespace=namespace).score == 10


@pytest.mark.parametrize("table", ["scores_best", "scores_best_n{namespace}"])
def test_the_bests_cannot_be_truncated(slug: str, shared: str, table: str) -> None:
    apply(slug, event("ann", 10))
    namespace = Season.objects.get(slug=slug).namespace
    table = table.format(namespace=namespace)
    with connect(shared) as connection, pytest.raises(psycopg.errors.IntegrityError):
        connection.execute(f"TRUNCATE {table}".encode())
