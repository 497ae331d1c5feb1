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
def test_the_ledger_cannot_be_changed(season: str, database: str, change: str, table: str) -> None:
    apply(season, event("ann", 10))
    table = table.format(namespace=Season.objects.get(slug=season).namespace)
    with connect(database) as connection, pytest.raises(psycopg.errors.IntegrityError):
        connection.execute(change.format(table).encode())
    assert Ledger.objects.get().score == 10


@pytest.mark.parametrize("table", ["scores_best", "scores_best_n{namespace}"])
def test_the_bests_cannot_be_truncated(season: str, database: str, table: str) -> None:
    apply(season, event("ann", 10))
    table = table.format(namespace=Season.objects.get(slug=season).namespace)
    with connect(database) as connection, pytest.raises(psycopg.errors.IntegrityError):
        connection.execute(f"TRUNCATE {table}".encode())
