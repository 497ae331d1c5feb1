"""config.db: what happens to statements whose connection is gone."""

from typing import Any

import pytest
from django.db import connections

from leaderboard.queries import published
from tests.factories import apply, event


def end_backends(superuser: Any) -> int:
    """End every connection to the test's database but the one that does it."""
    ended = superuser.execute(
        "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    ).fetchone()
    return int(ended[0])


def test_a_read_is_asked_again_when_its_connection_was_lost(season: str, superuser: Any) -> None:
    published(season)
    assert end_backends(superuser) > 0
    assert published(season).slug == season


def test_a_write_is_run_again_when_its_connection_was_lost(season: str, superuser: Any) -> None:
    apply(season, event("ann", 10))
    assert end_backends(superuser) > 0
    (receipt,) = apply(season, event("ann", 20, 2))
    assert (receipt.outcome, receipt.best_score) == ("improved", 20)


@pytest.mark.parametrize("alias", ["default", "reads"])
def test_no_lost_connection_stays_in_the_pool(season: str, superuser: Any, alias: str) -> None:
    connection: Any = connections[alias]
    connection.ensure_connection()
    held = [connection.pool.getconn() for _ in range(3)]
    for raw in held:
        connection.pool.putconn(raw)
    end_backends(superuser)
    apply(season, event("ann", 10))
    published(season)
    connection.close()
    for _ in range(3):
        with connection.pool.connection() as raw:
            assert raw.execute("SELECT 1").fetchone() == (1,)
