"""Keep a version readable while something long reads it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db.models.functions import Now

from config import db
from config.errors import VersionExpired
from leaderboard.models import Lease

HELD_FOR = timedelta(seconds=60)
RENEWED_EVERY_SECONDS = 15.0


class HeldVersion:
    """A lease that a thread renews until its block ends."""

    def __init__(self, lease: Lease) -> None:
        """Take the lease as it was stored."""
        self._lease = lease
        self._ended = threading.Event()
        self._lost = False

    def require(self) -> None:
        """Raise VersionExpired if the lease was ever lost."""
        if self._lost or not self._renewed():
            raise VersionExpired("The lease on the version was lost meanwhile.")

    def renew_until_ended(self) -> None:
        """Renew the lease every few seconds, in a thread of its own."""
        while not self._ended.wait(RENEWED_EVERY_SECONDS):
            try:
                self._lost |= not self._renewed()
            except db.LOST:
                # The next time may do; whether it came too late, the lease itself says.
                continue
            finally:
                db.release("default")

    def end(self) -> None:
        """Give the lease up."""
        self._ended.set()
        Lease.objects.filter(id=self._lease.id).delete()

    def _renewed(self) -> bool:
        held = Lease.objects.filter(id=self._lease.id, expires_at__gt=Now())
        return held.update(expires_at=Now() + HELD_FOR) == 1


@contextmanager
def held_version(season_id: int, version: int, holder: str) -> Iterator[HeldVersion]:
    """
    Run the block with a lease on a version: purge leaves it, and all that it needs.

    Whether the version was there when the lease began is for the block to ask. A lease whose
    process was killed ends by itself a minute later.
    """
    Lease.objects.filter(expires_at__lt=Now(), season_id=season_id).delete()
    lease = Lease.objects.create(
        season_id=season_id, version=version, holder=holder, expires_at=Now() + HELD_FOR
    )
    held = HeldVersion(lease)
    renewing = threading.Thread(target=held.renew_until_ended, daemon=True)
    renewing.start()
    try:
        yield held
    finally:
        held.end()
        renewing.join()
