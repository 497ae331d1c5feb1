"""A season's board as a sorted set: how it is filled and asked, in the best form there is."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import redis
from numpy.typing import NDArray
from psycopg import sql

from leaderboard.management.benchmarks.connecting import Connection
from leaderboard.management.benchmarks.copying import Form, copy_out
from leaderboard.management.benchmarks.players import FIRST_ID
from leaderboard.management.benchmarks.valkey import HOST, Valkey

BOARD = "board"
MEMBERS_A_COMMAND, COMMANDS_A_PIPELINE = 1_000, 20
TOP = 100
SHOWN = Form({"player_id": "S8", "score": ">i4"})

# Equal scores share a rank, which ZREVRANK does not know: who is above is counted.
RANK = """
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
return {1 + redis.call('ZCOUNT', KEYS[1], '(' .. score, '+inf'), tonumber(score)}
"""
# Behind the first row a rank is its place, or that of the row above with the same score.
NEIGHBOURS = """
local place = redis.call('ZREVRANK', KEYS[1], ARGV[1])
local first = math.max(0, place - ARGV[2])
local rows = redis.call('ZREVRANGE', KEYS[1], first, place + ARGV[2], 'WITHSCORES')
return {first, 1 + redis.call('ZCOUNT', KEYS[1], '(' .. rows[2], '+inf'), rows}
"""
# What valkey-benchmark and redis-benchmark draw is a number of twelve digits.
RANK_OF_NUMBER = f"local ARGV = {{string.format('%d', {FIRST_ID} + ARGV[1])}} {RANK}"

Scored = tuple[str, int]
# Half of redis-py has no types.
_connect: Callable[..., Any] = redis.Connection
# It never connects: only its way to write commands is used.
_PACKER = _connect()


class Row(NamedTuple):
    """A player of a window, with the rank that equal scores share."""

    rank: int
    player_id: str
    score: int


class SortedSet:
    """A client of one connection, which decodes the replies, as an application does."""

    def __init__(self, server: Valkey) -> None:
        """Connect, and leave the scripts with the server."""
        self.port = server.port
        self.client: Any = server.client
        self._rank, self._neighbours, self.rank_of_number = (
            str(self._ask("SCRIPT", "LOAD", script), "ascii")
            for script in (RANK, NEIGHBOURS, RANK_OF_NUMBER)
        )

    def load(self, packs: Iterable[Sequence[Scored]]) -> int:
        """Add players, a pack in a pipeline of several commands, and return how many they are."""
        loaded = 0
        for pack in packs:
            pipeline = self.client.pipeline(transaction=False)
            for first in range(0, len(pack), MEMBERS_A_COMMAND):
                pipeline.zadd(BOARD, dict(pack[first : first + MEMBERS_A_COMMAND]))
            pipeline.execute()
            loaded += len(pack)
        return loaded

    def rank_in_two_trips(self, player_id: str) -> tuple[int, int]:
        """Return the shared rank and the score: the score is fetched, then who is above."""
        score = int(float(self._ask("ZSCORE", BOARD, player_id)))
        return 1 + int(self._ask("ZCOUNT", BOARD, f"({score}", "+inf")), score

    def rank(self, player_id: str) -> tuple[int, int]:
        """Return the shared rank and the score, by one script."""
        rank, score = self._ask("EVALSHA", self._rank, 1, BOARD, player_id)
        return int(rank), int(score)

    def ranks(self, player_ids: Sequence[str]) -> list[tuple[int, int]]:
        """Return the ranks and scores of many players, by as many scripts in one pipeline."""
        pipeline = self.client.pipeline(transaction=False)
        for player_id in player_ids:
            pipeline.execute_command("EVALSHA", self._rank, 1, BOARD, player_id)
        return [(int(rank), int(score)) for rank, score in pipeline.execute()]

    def neighbours(self, player_id: str, radius: int) -> list[Row]:
        """Return the players around one, and that one, best first with shared ranks."""
        script = (self._neighbours, 1, BOARD, player_id, radius)
        first, rank_of_first, found = self._ask("EVALSHA", *script)
        return _ranked(zip(found[::2], found[1::2], strict=True), int(first), int(rank_of_first))

    def top(self) -> list[Row]:
        """Return the first hundred, best first with shared ranks."""
        found = self._ask("ZREVRANGE", BOARD, 0, TOP - 1, "WITHSCORES")
        return _ranked(found, 0, 1)

    def question(self, player_id: str) -> bytes:
        """Return the request for a rank by script, as it travels."""
        return _packed(("EVALSHA", self._rank, 1, BOARD, player_id))

    def write(self, requests: Sequence[bytes], replies: int, connections: int) -> None:
        """Send requests, each with so many replies, by several connections at a time."""
        shares = [requests[number::connections] for number in range(connections)]
        with ThreadPoolExecutor(connections) as pool:
            for done in [pool.submit(self._send, share, replies) for share in shares]:
                done.result()

    def _send(self, requests: Sequence[bytes], replies: int) -> None:
        wire = _connect(host=HOST, port=self.port)
        try:
            for request in requests:
                wire.send_packed_command([request])
                for _ in range(replies):
                    wire.read_response()
        finally:
            wire.disconnect()

    def _ask(self, *command: Any) -> Any:
        return self.client.execute_command(*command)


def players_of(connection: Connection, namespace: int) -> Iterator[Sequence[Scored]]:
    """Read all players who have a score, and return them with it in packs, ordered by id."""
    query = "SELECT player_id, score FROM {} WHERE score IS NOT NULL ORDER BY player_id"
    table = sql.Identifier(f"scores_best_n{namespace}")
    found = copy_out(connection, SHOWN, sql.SQL(query).format(table))
    a_pack = MEMBERS_A_COMMAND * COMMANDS_A_PIPELINE
    # Fifty million at once would not fit into memory as Python's objects.
    return (_scored(found[first : first + a_pack]) for first in range(0, len(found), a_pack))


def _scored(found: NDArray[Any]) -> list[Scored]:
    player_ids = found["player_id"].astype("U").tolist()
    return [*zip(player_ids, found["score"].tolist(), strict=True)]


def commands_for(batch: Sequence[Scored]) -> bytes:
    """Return a command for each result, as a pipeline sends them; the best one is kept."""
    return b"".join(_packed(("ZADD", BOARD, "GT", score, player)) for player, score in batch)


def command_for(batch: Sequence[Scored]) -> bytes:
    """Return one command for all of these results; the best one of each player is kept."""
    members = [word for player, score in batch for word in (score, player)]
    return _packed(("ZADD", BOARD, "GT", *members))


def _packed(command: tuple[Any, ...]) -> bytes:
    return b"".join(_PACKER.pack_command(*command))


def _ranked(
    found: Iterable[tuple[bytes, bytes | float]], first: int, rank_of_first: int
) -> list[Row]:
    rows: list[Row] = []
    for rank, (player_id, found_score) in enumerate(found, first + 1):
        score = int(float(found_score))
        above = rows[-1] if rows else Row(rank_of_first, "", score)
        shared = above.rank if above.score == score else rank
        rows.append(Row(shared, player_id.decode(), score))
    return rows
