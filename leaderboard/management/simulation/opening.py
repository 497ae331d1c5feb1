"""The start of a season's play: learn its rules, and its boards at one version."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic, sleep

from leaderboard.management.simulation.book import Board, Boards
from leaderboard.management.simulation.connection import CannotRun, Connection
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.follower import PAGE, Follower
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.kit import Kit
from leaderboard.management.simulation.season import LATE, Season, learn_season
from leaderboard.management.simulation.stage import Stage
from leaderboard.management.simulation.walk import VersionGone, walk_board

PATIENCE = 20.0
POLL = 0.1
ATTEMPTS = 5
EVERY = 100_000
MARGIN = 5.0

Say = Callable[[str], None]


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


def read_boards(
    connection: Connection, season: Season, findings: Findings, say: Say
) -> tuple[Season, Boards]:
    """Return the season at the version that was walked, and everybody on its boards."""
    for _ in range(ATTEMPTS):
        try:
            boards = {
                region: _walk(connection, season, region, findings, say)
                for region in (None, *season.regions)
            }
        except VersionGone:
            now = learn_season(connection, season.season_id)
            season = replace(season, version=now.version, as_of=now.as_of)
        else:
            everybody = boards.pop(None)
            regions = {region: rows for region, rows in boards.items() if region is not None}
            return season, Boards(season.version, everybody, regions)
    raise CannotRun("The board changes faster than it can be read: is somebody else writing?")


def open_stage(
    kit: Kit, season: Season, boards: Boards, own: str, friendships: Friendships
) -> Stage:
    """Return the season ready to be played, with the changes passed that are in its feed."""
    follower = Follower(kit.connect(), season.season_id, kit.tally)
    stage = Stage(season, boards, own, follower, friendships, kit.findings)
    follower.catch_up(lambda passed: _passed(passed, kit.say))
    if follower.purged:
        kit.say("The beginning of the changes feed is purged: the feed is not checked.")
    return stage


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


def _walk(
    connection: Connection, season: Season, region: str | None, findings: Findings, say: Say
) -> Board:
    return walk_board(
        connection,
        season.season_id,
        season.version,
        lambda finding: findings.add(*finding),
        lambda count, total: _progress(count, total, say),
        region,
    )


def _progress(count: int, total: int, say: Say) -> None:
    if count % EVERY == 0 and count:
        say(f"  {count:,} of {total:,} players read")


def _passed(passed: int, say: Say) -> None:
    if passed % (100 * PAGE) == 0:
        say(f"  {passed:,} earlier changes passed")
