"""
Laurel beside a sorted set of Valkey or Redis: the same players, the same work, in turn.

The sorted set runs with appendonly and appendfsync everysec: a crash loses up to a second. It
keeps the best score of each player and nothing else; Laurel's results are committed before
they are answered, and it keeps a ledger, receipts of events, and versions.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from redis.utils import HIREDIS_AVAILABLE

from leaderboard.management.benchmarks import pacing, valkey_benchmark, wrk
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.dialogues import by_script, over_http, rank_paths
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.events import Improvements
from leaderboard.management.benchmarks.figures import Figure, beside
from leaderboard.management.benchmarks.measures.accepting import token
from leaderboard.management.benchmarks.measures.asking import Asker, Read
from leaderboard.management.benchmarks.measures.reading import RADIUS
from leaderboard.management.benchmarks.measures.serving import CONNECTIONS, rank_question
from leaderboard.management.benchmarks.posting import EVENTS_A_BATCH, Server, body_of, post_all
from leaderboard.management.benchmarks.sorted_set import (
    Scored,
    SortedSet,
    command_for,
    commands_for,
    players_of,
)
from leaderboard.management.benchmarks.valkey import Valkey, valkey
from leaderboard.management.benchmarks.web_server import web_server
from leaderboard.operations import purge_versions, seal_and_publish
from scores.operations import apply_events
from scores.rules import Event
from seasons.models import Season

COMPARED = 50
REQUESTS = 20_000
PIPELINE = 100
SECONDS_BETWEEN_LOOKS = 0.05
ONE = "one client in Python"
DECODES = "hiredis" if HIREDIS_AVAILABLE else "no hiredis"

Write = Callable[[list[list[Event]]], float]


class Both(NamedTuple):
    """A season, and the sorted set that has its players."""

    bench: Bench
    season: Season
    board: SortedSet
    asker: Asker


def sorting(bench: Bench) -> Iterator[Figure]:
    """Load a sorted set with the largest season, then read, write and start it again."""
    season, players = bench.largest, max(bench.seasons)
    with valkey() as server:
        both = Both(bench, season, SortedSet(server), Asker(season.slug, players))
        yield from _loading(both, server)
        _require_same_ranks(both)
        yield from _reading(both)
        with web_server() as (port, _):
            yield from _asking_at_once(both, port)
            yield from _writing(both, port)
        yield from _starting(both.board, server, bench.options.repeat)


def _loading(both: Both, server: Valkey) -> Iterator[Figure]:
    packs = players_of(both.bench.connection, both.season.namespace)
    before, began = server.memory, time.perf_counter()
    players = both.board.load(packs)
    seconds = time.perf_counter() - began
    what = f"sorted set ({server.version}), {players:,} players"
    yield Figure(f"load a {what}, by ZADD", "s", [seconds])
    rate = players / seconds
    yield Figure("players loaded into a sorted set", "1/s", [rate], key="sorted_set_1s.load")
    used = (server.memory - before) / players
    yield Figure(
        "memory of a player in a sorted set", "bytes", [used], key="sorted_set_bytes.player"
    )


def _require_same_ranks(both: Both) -> None:
    for player_id in both.asker.drawn(COMPARED):
        ours = both.asker.rank(player_id)
        if (ours.rank, ours.score) != both.board.rank(player_id):
            raise CannotMeasure(f"{player_id} has another rank in the sorted set.")


def _reading(both: Both) -> Iterator[Figure]:
    """Ask as an application does, over one connection, with replies decoded."""
    board, asker = both.board, both.asker
    yield from _told(
        both,
        f"{ONE}, {DECODES}",
        {"rank, Laurel's statement": partial(_rate, both, asker.rank)},
        {
            "rank, sorted set, two round trips": partial(_rate, both, board.rank_in_two_trips),
            "rank, sorted set, one script": partial(_rate, both, board.rank),
            f"rank, sorted set, {PIPELINE} scripts in a pipeline": partial(_piped_rate, both),
        },
        "sorted_set_1s.rank",
    )
    yield from _told(
        both,
        f"{ONE}, {DECODES}",
        {f"neighbours ±{RADIUS}, Laurel's statement": partial(_rate, both, asker.neighbours)},
        {f"neighbours ±{RADIUS}, sorted set, one script": partial(_rate, both, _around(board))},
    )
    yield from _told(
        both,
        f"{ONE}, {DECODES}",
        {"top 100, Laurel's statement": partial(_rate, both, asker.top)},
        {"top 100, sorted set": partial(_rate, both, lambda _: board.top())},
    )


def _asking_at_once(both: Both, port: int) -> Iterator[Figure]:
    """Ask over several connections: Laurel by HTTP, the sorted set by its own protocol."""
    seconds = both.bench.options.seconds
    pace = pacing.Pace(CONNECTIONS, seconds)
    http = over_http(port, rank_paths(both.season.slug, both.asker.drawn(REQUESTS)))
    script = by_script(both.board, both.asker.drawn(REQUESTS))
    yield from _told(
        both,
        f"{CONNECTIONS} connections, Python, replies not decoded",
        {"rank, Laurel over HTTP": lambda: pacing.ask(http, pace).rate},
        {"rank, sorted set, one script, no HTTP": lambda: pacing.ask(script, pace).rate},
    )
    if wrk.is_installed() and valkey_benchmark.program():
        yield from _told(
            both,
            f"{CONNECTIONS} connections, compiled clients",
            {"rank, Laurel over HTTP": partial(_rate_by_wrk, both, port)},
            {"rank, sorted set, one script, no HTTP": partial(_compiled_rate, both)},
        )


def _writing(both: Both, port: int) -> Iterator[Figure]:
    """Write improving results in batches of a thousand; Laurel's are also published."""
    options = both.bench.options
    source = Improvements(both.bench.connection, both.season.namespace)
    path = f"/internal/v1/seasons/{both.season.slug}/scores:apply"
    server = Server(port, path, token(), options.connections)
    write = partial(_rate_of_writing, both, source)
    yield from _told(
        both,
        f"batches of {EVENTS_A_BATCH:,}, one connection",
        {"results, Laurel's operation": partial(write, partial(_apply, both.season))},
        {
            "results, ZADD GT in a pipeline": partial(write, partial(_pipe, both.board)),
            "results, one ZADD GT a batch": partial(write, partial(_add, both.board, 1)),
        },
    )
    several = options.connections
    yield from _told(
        both,
        f"batches of {EVENTS_A_BATCH:,}, {several} connections",
        {"results, Laurel over HTTP": partial(write, partial(_post, both.season, server))},
        {"results, one ZADD GT a batch": partial(write, partial(_add, both.board, several))},
        "sorted_set_1s.write",
    )


def _starting(board: SortedSet, server: Valkey, repeat: int) -> Iterator[Figure]:
    """Stop the server and start it, with its log as it was written and written anew."""
    for state in ("as written", "written anew"):
        yield Figure(f"append-only files, {state}", "MB", [server.log_bytes / 1e6])
        seconds = [_started_again(server) for _ in range(repeat)]
        yield Figure(f"start a sorted set again, its log {state}", "s", seconds)
        if state == "as written":
            _rewrite_log(board)


def _started_again(server: Valkey) -> float:
    server.stop()
    return server.start()


def _rewrite_log(board: SortedSet) -> None:
    board.client.bgrewriteaof()
    while _is_rewriting(board):
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _is_rewriting(board: SortedSet) -> bool:
    found = board.client.info("persistence")
    return bool(found["aof_rewrite_in_progress"] or found["aof_rewrite_scheduled"])


def _told(
    both: Both,
    where: str,
    ours: Mapping[str, Callable[[], float]],
    theirs: Mapping[str, Callable[[], float]],
    key: str | None = None,
) -> Iterator[Figure]:
    """
    Measure one way of ours and several of theirs in turn, and tell the rates and ratios.

    The key is that of the last way of theirs.
    """
    measured = both.bench.in_turn(where, {**ours, **theirs})
    rates = {name: Figure(f"{name}; {where}", "1/s", found) for name, found in measured.items()}
    *_, last = theirs
    rates[last] = rates[last]._replace(key=key)
    yield from rates.values()
    (own,) = ours
    for name in theirs:
        yield beside(f"{own} / {name}; {where}", rates[own], rates[name])


def _rate(both: Both, read: Read) -> float:
    return both.asker.rate(read, both.bench.options.seconds)


def _piped_rate(both: Both) -> float:
    def read(_: str) -> object:
        return both.board.ranks(both.asker.drawn(PIPELINE))

    return PIPELINE * both.asker.rate(read, both.bench.options.seconds)


def _around(board: SortedSet) -> Read:
    return partial(board.neighbours, radius=RADIUS)


def _rate_by_wrk(both: Both, port: int) -> float:
    pace = wrk.Pace(CONNECTIONS, both.bench.options.seconds)
    return wrk.ask(port, rank_question(both.bench), pace).rate


def _compiled_rate(both: Both) -> float:
    players, seconds = max(both.bench.seasons), both.bench.options.seconds
    return valkey_benchmark.rank_rate(both.board, players, CONNECTIONS, seconds)


def _rate_of_writing(both: Both, source: Improvements, write: Write) -> float:
    batches = [source.batch(EVENTS_A_BATCH) for _ in range(both.bench.options.batches)]
    return len(batches) * EVENTS_A_BATCH / write(batches)


def _apply(season: Season, batches: list[list[Event]]) -> float:
    began = time.perf_counter()
    for batch in batches:
        apply_events(season.slug, batch)
    return _published_since(began, season)


def _post(season: Season, server: Server, batches: list[list[Event]]) -> float:
    bodies = [*map(body_of, batches)]
    began = time.perf_counter()
    post_all(bodies, server)
    return _published_since(began, season)


def _published_since(began: float, season: Season) -> float:
    seal_and_publish(season.id)
    seconds = time.perf_counter() - began
    purge_versions(season.id)
    return seconds


def _pipe(board: SortedSet, batches: list[list[Event]]) -> float:
    requests = [commands_for(_scored(batch)) for batch in batches]
    began = time.perf_counter()
    board.write(requests, EVENTS_A_BATCH, 1)
    return time.perf_counter() - began


def _add(board: SortedSet, connections: int, batches: list[list[Event]]) -> float:
    requests = [command_for(_scored(batch)) for batch in batches]
    began = time.perf_counter()
    board.write(requests, 1, connections)
    return time.perf_counter() - began


def _scored(batch: list[Event]) -> list[Scored]:
    return [(event.player_id, event.best_score) for event in batch]
