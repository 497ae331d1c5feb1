"""A copy of a season's bests in a schema of its own, for what people try first in SQL."""

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import sql

from leaderboard.management.benchmarks.connecting import Connection

COPIED = "CREATE TABLE benchmark_scratch.bests AS SELECT {} FROM {} WHERE score IS NOT NULL"
PLAYERS_AND_SCORES = ("player_id", "score")
# Who is above a score is counted within the index of scores alone, once it was vacuumed.
INDEXED = (
    "ALTER TABLE benchmark_scratch.bests ADD PRIMARY KEY (player_id)",
    "CREATE INDEX bests_by_score ON benchmark_scratch.bests (score)",
    "VACUUM (ANALYZE) benchmark_scratch.bests",
)
DROPPED = "DROP SCHEMA IF EXISTS benchmark_scratch CASCADE"


@contextmanager
def copy_of_bests(
    connection: Connection, namespace: int, columns: tuple[str, ...] = PLAYERS_AND_SCORES
) -> Iterator[None]:
    """Copy players and scores for the block; the schema goes afterwards, also after failure."""
    connection.execute(DROPPED)
    try:
        connection.execute("CREATE SCHEMA benchmark_scratch")
        bests = sql.Identifier(f"scores_best_n{namespace}")
        names = sql.SQL(", ").join(map(sql.Identifier, columns))
        connection.execute(sql.SQL(COPIED).format(names, bests))
        for statement in INDEXED:
            connection.execute(statement)
        yield
    finally:
        connection.execute(DROPPED)
