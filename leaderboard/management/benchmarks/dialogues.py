"""What a board is asked over HTTP, and a sorted set by its own protocol, in bytes."""

from collections.abc import Sequence

from leaderboard.management.benchmarks.pacing import Dialogue, is_whole_http, is_whole_rank
from leaderboard.management.benchmarks.sorted_set import SortedSet

_REQUEST = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n"


def over_http(port: int, paths: Sequence[str]) -> Dialogue:
    """Return the requests for these paths of a web server."""
    return Dialogue(port, [_REQUEST.format(path).encode() for path in paths], is_whole_http)


def by_script(board: SortedSet, player_ids: Sequence[str]) -> Dialogue:
    """Return the requests for the ranks of these players of a sorted set."""
    return Dialogue(board.port, [*map(board.question, player_ids)], is_whole_rank)


def rank_paths(slug: str, player_ids: Sequence[str]) -> list[str]:
    """Return the paths of these players' ranks."""
    return [f"/v1/seasons/{slug}/players/{player_id}/rank" for player_id in player_ids]
