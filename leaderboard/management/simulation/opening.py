"""The start of a run: learn the season, and the whole board at one version."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic, sleep

from leaderboard.management.simulation.connection import CannotRun, Connection
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.season import LATE, Season, learn_season
from leaderboard.management.simulation.walk import VersionGone, walk_board

PATIENCE = 20.0
POLL = 0.1
ATTEMPTS = 5
EVERY = 100_000
MARGIN = 5.0

Say = Callable[[str], None]
Board = list[tuple[str, int]]


def settled_season(connection: Connection, season_id: str) -> Season:
    """
    Return the season once everything accepted before now is published.

    `as_of` must move twice: the second seal came after the first was published.
    """
    season = learn_season(connection, season_id)
    deadline, moves = monotonic() + PATIENCE, 0
    while moves < 2:
        if monotonic() > deadline:
            raise CannotRun(f"Publication of {season_id} stands still at {season.as_of}.")
        sleep(POLL)
        now = learn_season(connection, season_id)
        moves += now.as_of != season.as_of
        season = now
    return season


def read_board(
    connection: Connection, season: Season, findings: Findings, say: Say
) -> tuple[Season, Board]:
    """Return the season at the version that was walked, and everybody on its board."""
    for _ in range(ATTEMPTS):
        try:
            board = walk_board(
                connection,
                season.season_id,
                season.version,
                lambda finding: findings.add(*finding),
                lambda count, total: _progress(count, total, say),
            )
        except VersionGone:
            now = learn_season(connection, season.season_id)
            season = replace(season, version=now.version, as_of=now.as_of)
        else:
            return season, board
    raise CannotRun("The board changes faster than it can be read: is somebody else writing?")


def seconds_left(season: Season, seconds: float) -> float:
    """Return how long events can be sent with a known outcome, at most `seconds`."""
    if season.cutoff_at is None:
        return seconds
    left = (season.cutoff_at - datetime.now(UTC)).total_seconds() - MARGIN
    if season.late_policy in LATE:
        left += season.grace_seconds
    if left <= 0:
        raise CannotRun(f"The season {season.season_id} is over, or nearly.")
    return min(seconds, left)


def _progress(count: int, total: int, say: Say) -> None:
    if count % EVERY == 0 and count:
        say(f"  {count:,} of {total:,} players read")
