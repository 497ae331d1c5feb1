"""Publish what was sealed, or say why there is nothing new."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from config import db
from leaderboard.models import Stop
from leaderboard.queries.publication import seals_to_publish
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.flip import move_as_of
from leaderboard.steps.laps import Laps
from leaderboard.steps.next_version import make_version, what_is_sealed
from seasons.queries import slug_of
from seasons.steps import set_bests_damaged

LOCK_PUBLISHER = db.statement(__file__, "lock_publisher")
TRY_PUBLISHER = db.statement(__file__, "try_publisher")
INSERT_STOP = db.statement(__file__, "insert_stop")

NO_TIME: Mapping[str, float] = {}

log = logging.getLogger(__name__)


class Publication(NamedTuple):
    """What a run of the publisher did, and for a published version the seconds of each phase."""

    outcome: str
    version: int | None = None
    changes: int = 0
    as_of: datetime | None = None
    more: bool = False
    seconds: Mapping[str, float] = NO_TIME


def publish_version(season_id: int, *, despite_stop: bool = False) -> Publication:
    """
    Publish the sealed epochs of a season as its next version, all of it or nothing.

    Outcomes: `published`; `unchanged` (only `as_of` moved); `idle` (nothing was sealed);
    `busy` (another publication is under way); `stopped` (a check failed before; with
    `despite_stop` it is tried again, and success ends the stop). `more` says that sealed
    epochs were left for the next run. The phases are `lock`, `compare` (ledger and tallies),
    those of `make_version`, and `commit`. Raises CheckFailed when a check fails: the old version
    stays, and the season's publication is stopped; and SeasonRetired if the season is gone.
    """
    if not despite_stop and Stop.objects.filter(season_id=season_id).exists():
        return Publication("stopped")
    laps = Laps()
    try:
        publication = _publish(season_id, laps)
    except CheckFailed as failure:
        _stop(season_id, failure)
        raise
    if publication.outcome in {"published", "unchanged"} and despite_stop:
        _end_stop(season_id)
    if publication.outcome == "published":
        laps.end("commit")
        log.info(
            "published season=%s version=%s changes=%s seconds=%.3f %s",
            slug_of(season_id),
            publication.version,
            publication.changes,
            sum(laps.seconds.values()),
            laps,
        )
        return publication._replace(seconds=laps.seconds)
    return publication


def _publish(season_id: int, laps: Laps) -> Publication:
    with db.transaction_opened_by(LOCK_PUBLISHER):
        if not db.fetch_one(bool, TRY_PUBLISHER.literal(season_id=season_id)):
            return Publication("busy")
        laps.end("lock")
        sealed = what_is_sealed(season_id)
        laps.end("compare")
        number, seals = sealed.state.number, sealed.seals
        if not seals:
            return Publication("idle", number)
        more = len(seals) > 1 and bool(seals_to_publish(season_id, seals[-1].epoch))
        if not sealed.changes:
            move_as_of(season_id, sealed.state, seals[-1], sealed.found)
            return Publication("unchanged", number, 0, seals[-1].sealed_at, more)
        make_version(sealed, laps=laps)
        return Publication(
            "published", seals[-1].version, sealed.changes, seals[-1].sealed_at, more
        )


def _stop(season_id: int, failure: CheckFailed) -> None:
    log.error("publication stopped season=%s %s", slug_of(season_id), failure)
    with db.transact:
        db.execute(
            INSERT_STOP.literal(season_id=season_id),
            failed_check=failure.check,
            detail=failure.detail,
        )
        if failure.bests_damaged:
            set_bests_damaged(season_id, damaged=True)


def _end_stop(season_id: int) -> None:
    with db.transact:
        Stop.objects.filter(season_id=season_id).delete()
        set_bests_damaged(season_id, damaged=False)
