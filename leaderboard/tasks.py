"""What beat starts: publication every second, purge beside it."""

import contextlib
import logging
from collections.abc import Iterator

from celery import shared_task

from config.errors import Refusal, SeasonRetired, Unavailable
from config.lately import PLAYERS
from leaderboard import operations
from leaderboard.operations.retire_season import drop_retired, retire_season
from leaderboard.operations.run_job import run_next_job
from leaderboard.operations.take_checksum import take_checksum
from leaderboard.operations.verify_season import WHOLE
from leaderboard.queries.live_seasons import (
    live_seasons,
    seasons_to_finalize,
    seasons_to_purge,
    versions_without_checksum,
)
from leaderboard.queries.retirements import seasons_to_retire
from leaderboard.steps.check_failed import CheckFailed
from seasons.operations import record_transitions
from seasons.queries import slug_of
from seasons.queries.due_transitions import seasons_with_due_transitions
from seasons.queries.window_rules import window_rules_due

EXPIRES_SECONDS = 2.0

log = logging.getLogger(__name__)


@shared_task
def publish_seasons() -> None:
    """Start a publication of every season that has begun and is not final."""
    for season_id in live_seasons():
        publish_season.apply_async(args=(season_id,), expires=EXPIRES_SECONDS)


@shared_task
def publish_season(season_id: int) -> None:
    """Seal the season's epoch and publish what is sealed; safe to run twice or late."""
    try:
        operations.seal_and_publish(season_id)
    except SeasonRetired:
        log.info("season=%s was retired before it could be published", season_id)
    except CheckFailed:
        # Noted and logged by the operation; the season stands still until an operator looks.
        return


@shared_task
def advance_seasons() -> None:
    """Record which seasons have opened or begun to close, by the database's clock."""
    for season_id in seasons_with_due_transitions():
        # Writers were in the way: the state holds all the same, and is recorded a second later.
        with contextlib.suppress(Unavailable):
            record_transitions(season_id)


@shared_task
def make_windows() -> None:
    """Make the seasons of all series ahead of their time; what fails is tried again."""
    for rule_id in window_rules_due():
        with _others_go_on("no season was made by the window rule %s", rule_id):
            operations.make_windows(rule_id)


@shared_task
def finalize_seasons() -> None:
    """Make the seasons final whose grace time is over; what fails is tried again."""
    for season_id in seasons_to_finalize():
        with _others_go_on("season=%s is not final yet", season_id):
            operations.finalize_season(
                slug_of(season_id), actor="clock", reason="The grace time was over."
            )


@shared_task
def take_checksums() -> None:
    """Take the checksums of corrected versions, so that their results can be had."""
    for season_id, version in versions_without_checksum():
        with _others_go_on("season=%s version=%s has no checksum", season_id, version):
            take_checksum(slug_of(season_id), version)


@shared_task
def verify_seasons(scope: str, expires: float) -> None:
    """Start a verification of every season that has begun and is not final."""
    queue = "slow" if scope == WHOLE else "default"
    for season_id in live_seasons():
        verify_season.apply_async(args=(season_id, scope), expires=expires, queue=queue)


@shared_task
def verify_season(season_id: int, scope: str) -> None:
    """Verify the season's current version; what differs is stored and logged."""
    try:
        operations.verify_season(slug_of(season_id), scope=scope)
    except Refusal as refusal:
        log.info("season=%s cannot be verified now: %s", season_id, refusal.detail)


@shared_task
def purge_seasons(*, final: bool = False) -> None:
    """Let go of the expired versions of the seasons that are not final, or of those that are."""
    for season_id in seasons_to_purge(final=final):
        with _others_go_on("season=%s is not purged", season_id):
            operations.purge_versions(season_id)


@shared_task
def retire_seasons() -> None:
    """Retire the seasons that were kept long enough, and drop what is retired."""
    for season_id in seasons_to_retire():
        with _others_go_on("season=%s is not retired yet", season_id):
            retire_season(season_id)
    while drop_retired() is not None:
        continue


@shared_task
def run_jobs(kinds: list[str]) -> None:
    """Do what was asked for in the admin, oldest first; what a killed worker left is done anew."""
    while run_next_job(kinds, asked_lately=PLAYERS.asked) is not None:
        continue


@contextlib.contextmanager
def _others_go_on(what: str, *which: int) -> Iterator[None]:
    """Log what keeps one of several from being done, so that the others do not wait for it."""
    try:
        yield
    except Refusal as refusal:
        log.info(f"{what}: %s", *which, refusal.detail)
    except CheckFailed:
        return  # Noted and logged by the operation.
    except Exception:
        log.exception(what, *which)
