"""How long a rank and neighbours take for players of a bucket."""

import time
from collections.abc import Callable
from typing import NamedTuple

from config.errors import VersionExpired
from leaderboard import queries, rules
from leaderboard.queries import Place, Published
from leaderboard.queries.board_layout import BucketFigures

CALLS = 40
RADIUS = 5
MOST_WALKED = 4_000


class Times(NamedTuple):
    """Milliseconds of some calls each: half of them took no longer, and 99 in a hundred."""

    rank: tuple[float, float]
    neighbours: tuple[float, float]


def measured(season: Published, board: int, bucket: BucketFigures) -> Times:
    """Return what 40 players from all over a bucket wait for; VersionExpired if it was let go."""
    version = season.current
    players = _players(season, board, bucket)

    def rank(player_id: str) -> None:
        queries.rank_of_player(season, player_id, version=version, board=board)

    def neighbours(player_id: str) -> None:
        queries.neighbours(season, player_id, version=version, radius=RADIUS, board=board)

    return Times(_percentiles(rank, players), _percentiles(neighbours, players))


def _players(season: Published, board: int, bucket: BucketFigures) -> list[str]:
    """Return players of a bucket, of a very large one of its best part."""
    page = queries.players_after(
        season,
        Place(*bucket.begin),
        version=season.current,
        limit=min(bucket.members, MOST_WALKED),
        board=board,
    )
    if page is None:
        raise VersionExpired
    step = max(1, len(page.entries) // CALLS)
    return [entry.player_id for entry in page.entries[::step]][:CALLS]


def _percentiles(call: Callable[[str], None], players: list[str]) -> tuple[float, float]:
    # The first calls prepare the statements.
    for player in (players[0], players[-1]):
        call(player)
    times = sorted(_milliseconds(call, player) for player in players)
    half, most = (times[rules.place_of_percentile(share, len(times)) - 1] for share in (50, 99))
    return half, most


def _milliseconds(call: Callable[[str], None], player_id: str) -> float:
    began = time.perf_counter()
    call(player_id)
    return (time.perf_counter() - began) * 1_000
