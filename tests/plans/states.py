"""How much the planner may know of the tables."""

from collections.abc import Callable

from tests.own_database import connect
from tests.plans.big_season import know_all_tables

FORGET = """
DELETE FROM pg_statistic WHERE starelid::regclass::text ~ '^(seasons|scores|leaderboard)_';
UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0
WHERE relkind IN ('r', 'i') AND relname ~ '^(seasons|scores|leaderboard)_'
"""


def as_they_were(database: str) -> None:
    """Leave what was known when the season had half of its versions."""


def nothing(database: str) -> None:
    """Forget everything, as if no table had ever been looked at."""
    with connect(database) as connection:
        connection.execute(FORGET)


def all_of_it(database: str) -> None:
    """Look at all tables."""
    with connect(database) as connection:
        know_all_tables(connection)


STATES: dict[str, Callable[[str], None]] = {
    "known of old": as_they_were,
    "unknown": nothing,
    "known": all_of_it,
}
