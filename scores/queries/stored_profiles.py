"""The profiles of players, as the trusted services gave them."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from config import db
from scores.rules import Profile

STORED_PROFILES = db.statement(__file__, "stored_profiles")


class StoredProfile(NamedTuple):
    """A profile as it is stored, and since when."""

    player_id: str
    region: str | None
    profile_version: int
    updated_at: datetime

    @property
    def content(self) -> Profile:
        """Return what the service said."""
        return Profile(self.player_id, self.region, self.profile_version)


def stored_profiles(
    player_ids: Collection[str], *, using: str = "default"
) -> dict[str, StoredProfile]:
    """Return the profiles of these players, by player; those without one are absent."""
    rows = db.fetch_all(StoredProfile, STORED_PROFILES, using=using, player_ids=list(player_ids))
    return {row.player_id: row for row in rows}
