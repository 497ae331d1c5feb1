"""The players whose ranks are compared by the old buckets of a board and by the new ones."""

import numpy as np

from config.errors import VersionExpired
from leaderboard import rules
from leaderboard.operations.relayout.in_use import BoardInUse
from leaderboard.queries import Place, players_after
from leaderboard.rules import Buckets
from leaderboard.steps.check_failed import CheckFailed

PLAYERS = 60
MOST_WALKED = 4_000


def players_to_compare(used: BoardInUse, wanted: Buckets) -> list[str]:
    """
    Return players from all over the board, and as many from where buckets are others.

    Everybody, if the board has few players.
    """
    changed = rules.changed_buckets(wanted.boundaries, used.buckets.boundaries)
    places = rules.spread_over(wanted.members, PLAYERS)
    places += rules.spread_over(np.where(changed, wanted.members, 0), PLAYERS)
    found = (_player_at(used, wanted, bucket, before) for bucket, before in places)
    return list(dict.fromkeys(found))


def _player_at(used: BoardInUse, wanted: Buckets, bucket: int, before: int) -> str:
    """Return the player at a place of a bucket; in a crowd one of those before."""
    page = players_after(
        used.season,
        Place(*wanted.boundaries.begin_of(bucket)),
        version=used.version,
        limit=min(before, MOST_WALKED) + 1,
        board=used.board,
        using="default",
    )
    if page is None:
        raise VersionExpired("The version that was looked at was let go meanwhile.")
    if not page.entries:
        raise CheckFailed(
            "bucket_against_bests",
            f"board {used.board}: nobody stands in bucket {bucket} or below, "
            f"which counts {wanted.members[bucket]}",
        )
    return page.entries[-1].player_id
