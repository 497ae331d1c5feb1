"""End the open epoch of a season."""

import logging

import psycopg

from config import db
from seasons.rules import FENCE_WAITS_MS

SEAL_EPOCH = db.statement(__file__, "seal_epoch")

log = logging.getLogger(__name__)


def seal_epoch(season_id: int) -> bool:
    """
    End the open epoch, so that every write stamped with it is committed or gone.

    Waits for the writers of the epoch 0.25 s, then 0.5 s, then 1 s, and lets others write
    between. Returns whether the epoch was sealed; if not, the next call tries again.
    """
    for wait in FENCE_WAITS_MS:
        try:
            with db.rolled_back_on_error():
                db.run_script(SEAL_EPOCH.literal(season_id=season_id, lock_milliseconds=wait))
        except psycopg.errors.LockNotAvailable:
            log.info("seal of season %s waits for its writers", season_id)
        else:
            return True
    return False
