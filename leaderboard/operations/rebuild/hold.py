"""
The right to work at a rebuild: one run at a time, without a session of the database.

It ends a few seconds after its run does, however that ended. Every transaction of the rebuild
ends by asking whether the right is still there, so that one who was frozen changes nothing.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from django.db import DatabaseError, connections
from django.db.models.functions import Now

from config import db
from leaderboard.models import Lease, Rebuild
from leaderboard.operations.rebuild.refusals import CannotRebuild, HoldLost

REBUILD_TAKE = db.statement(__file__, "rebuild_take")

HELD_SECONDS = 5.0
RENEWED_SECONDS = 1.0
POLL_SECONDS = 0.1
LEASED = timedelta(minutes=10)

UNDER_WAY = "A rebuild of this season is under way already."

Tell = Callable[[str, int, int], None]

log = logging.getLogger(__name__)


class Hold:
    """A run's right to work, for the time of a block; it says how far the run has come."""

    def __init__(self, rebuild_id: int, tell: Tell) -> None:
        """Take which rebuild it is, and whom to tell of its progress."""
        self.rebuild_id = rebuild_id
        self.token = secrets.token_hex(8)
        self._tell = tell
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew_until_over, daemon=True)
        self._done, self._total = 0, 0

    def __enter__(self) -> Self:
        """Wait until a run that was killed has lost its right; CannotRebuild if it is alive."""
        seen = self._held_until()
        deadline = time.monotonic() + 2 * HELD_SECONDS
        while not self._took():
            if self._held_until() != seen or time.monotonic() > deadline:
                raise CannotRebuild(UNDER_WAY)
            time.sleep(POLL_SECONDS)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        failure: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the right back, and note what the run failed with."""
        self._over.set()
        self._thread.join()
        said = "" if failure is None else str(failure) or type(failure).__name__
        self._own().update(holder="", held_until=None, failure=said, moved_at=Now())
        self._leases().delete()

    def tell(self, phase: str, done: int, total: int) -> None:
        """Say how far a phase has come."""
        self._done, self._total = done, total
        self._tell(phase, done, total)

    def finish(self, **facts: Any) -> None:
        """Note facts at the end of a transaction; HoldLost if another run has the right now."""
        db.require_transaction()
        if self._own().update(done=0, total=0, moved_at=Now(), **facts) != 1:
            raise HoldLost
        self._done, self._total = 0, 0

    def lease(self, season_id: int, version: int) -> None:
        """Keep a version readable while this run is at work."""
        Lease.objects.get_or_create(
            season_id=season_id,
            version=version,
            holder=self._name,
            defaults={"expires_at": Now() + LEASED},
        )

    @property
    def _name(self) -> str:
        return f"rebuild {self.rebuild_id} {self.token}"

    def _own(self) -> Any:
        return Rebuild.objects.filter(id=self.rebuild_id, holder=self.token)

    def _leases(self) -> Any:
        return Lease.objects.filter(holder=self._name)

    def _held_until(self) -> Any:
        return Rebuild.objects.values_list("held_until", flat=True).get(id=self.rebuild_id)

    def _took(self) -> bool:
        taken = db.execute(
            REBUILD_TAKE,
            rebuild_id=self.rebuild_id,
            holder=self.token,
            held_seconds=HELD_SECONDS,
        )
        return taken == 1

    def _renew_until_over(self) -> None:
        try:
            while not self._over.wait(RENEWED_SECONDS):
                try:
                    self._renew()
                except DatabaseError:
                    log.warning("rebuild %s could not renew its hold", self.rebuild_id)
                    connections.close_all()
        finally:
            connections.close_all()

    def _renew(self) -> None:
        until = Now() + timedelta(seconds=HELD_SECONDS)
        self._own().update(held_until=until, done=self._done, total=self._total, moved_at=Now())
        self._leases().update(expires_at=Now() + LEASED)
