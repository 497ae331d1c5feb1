"""Results of players who stand somewhere: all of them improve, or some do."""

import secrets
from datetime import UTC, datetime, timedelta

import numpy as np
from psycopg import sql

from leaderboard.management.benchmarks.connecting import Connection
from leaderboard.management.benchmarks.copying import Form, copy_out
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.players import HIGHEST_SCORE, Integers, random_ids
from leaderboard.management.benchmarks.posting import EVENTS_A_BATCH
from scores.operations import apply_events
from scores.rules import Event

STORED = Form({"player_id": "S8", "score": ">i4", "score_version": ">i8"})
# What is known of them has to find room in memory.
MOST_KNOWN = 5_000_000
ROWS = "SELECT reltuples FROM pg_class WHERE oid = %s::regclass"
MEAN_INCREASE = 2_000
PLAYERS_A_MATCH = 10
MILLISECOND = timedelta(milliseconds=1)


class Improvements:
    """Makes results of players in random order, better than the player's best unless told."""

    def __init__(
        self, connection: Connection, namespace: int, *, first: int | None = None, seed: int = 0
    ) -> None:
        """
        Read how the players stand, or the first of them; nobody else may write from now on.

        Of more than five million, a part is read that stands anywhere among them.
        """
        stored = copy_out(connection, STORED, _stored(connection, namespace, first))
        self._ids = stored["player_id"].copy()
        self._scores = stored["score"].astype(np.int64)
        self._versions = stored["score_version"].astype(np.int64)
        self._random = np.random.default_rng(seed or None)
        self._run = secrets.randbelow(2**23)
        self._made = 0
        self._turns = self._shuffled()

    def batch(self, size: int, share: float = 1.0) -> list[Event]:
        """
        Return that many results of different players, completed a moment ago.

        As large a share of them as told improves; the others are below the player's best.
        """
        chosen = self._chosen(size)
        best = self._scores[chosen]
        higher = np.minimum(best + self._random.geometric(1 / MEAN_INCREASE, size), HIGHEST_SCORE)
        lower = (best * self._random.random(size)).astype(np.int64)
        scores = np.where(self._random.permutation(size) < round(size * share), higher, lower)
        self._scores[chosen] = np.maximum(best, scores)
        self._versions[chosen] += 1
        return self._events(chosen, scores)

    def _chosen(self, size: int) -> Integers:
        if len(self._turns) < size:
            self._turns = self._shuffled()
        if len(self._turns) < size:
            raise CannotMeasure(f"The season has not {size} players who can still improve.")
        chosen, self._turns = self._turns[:size], self._turns[size:]
        return chosen

    def _shuffled(self) -> Integers:
        return self._random.permutation(np.flatnonzero(self._scores < HIGHEST_SCORE))

    def _events(self, chosen: Integers, scores: Integers) -> list[Event]:
        numbers = np.arange(self._made, self._made + len(chosen))
        self._made += len(chosen)
        now = datetime.now(UTC)
        columns = (
            random_ids(numbers, self._run).astype("U").tolist(),
            random_ids(numbers // PLAYERS_A_MATCH, self._run).astype("U").tolist(),
            self._ids[chosen].astype("U").tolist(),
            scores.tolist(),
            self._versions[chosen].tolist(),
            [now - MILLISECOND * number for number in range(len(chosen))],
        )
        return [Event(*members) for members in zip(*columns, strict=True)]


def apply_changes(slug: str, source: Improvements, changes: int) -> None:
    """Apply so many improving results, a thousand at a time."""
    for start in range(0, changes, EVENTS_A_BATCH):
        apply_events(slug, source.batch(min(EVENTS_A_BATCH, changes - start)))


def _stored(connection: Connection, namespace: int, first: int | None) -> sql.Composed:
    query = (
        "SELECT player_id, score, score_version FROM {} "
        "WHERE score IS NOT NULL AND mod(hashtextextended(player_id, 0), {}) = 0 "
        "ORDER BY player_id LIMIT {}"
    )
    table = f"scores_best_n{namespace}"
    one_in = 1 if first is not None else _one_in(connection, table)
    return sql.SQL(query).format(sql.Identifier(table), sql.Literal(one_in), sql.Literal(first))


def _one_in(connection: Connection, table: str) -> int:
    found = connection.execute(ROWS, [table]).fetchone()
    assert found is not None
    return max(1, round(float(found[0]) / MOST_KNOWN))
