"""A season as its readers know it: its rules, and which version is current."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion, RegionNotFound, SeasonNotFound, SeasonRetired
from seasons.rules import ScoreRange, Status, status

PUBLISHED = db.statement(__file__, "published")

PROMISED_FRESHNESS = timedelta(seconds=5)


class Published(NamedTuple):
    """All that a reader must know of a season, as it was at `read_at` of the database."""

    season_id: int
    slug: str
    name: str
    namespace: int
    ledger_namespace: int
    starts_at: datetime
    cutoff_at: datetime
    grace_seconds: int
    late_policy: str
    tie_rule: str
    order: str
    keep: str
    score_min: int
    score_max: int
    regions: list[str]
    final_version: int | None
    retired_at: datetime | None
    has_display: bool
    lower_score: int | None
    bucket_width: int | None
    boundary_sets: list[int] | None
    number: int | None
    members: list[int] | None
    sealed_at: datetime | None
    as_of: datetime | None
    failed_check: str | None
    read_at: datetime
    read_monotonic: float

    @property
    def now(self) -> datetime:
        """Return the database's time: as read, and the time that passed since."""
        return self.read_at + timedelta(seconds=time.monotonic() - self.read_monotonic)

    @property
    def status(self) -> Status:
        """Return the state of the season."""
        return status(
            starts_at=self.starts_at,
            cutoff_at=self.cutoff_at,
            final_version=self.final_version,
            now=self.now,
        )

    @property
    def scores(self) -> ScoreRange:
        """Return the season's range of scores, which turns them into what is stored."""
        return ScoreRange(self.score_min, self.score_max, self.order)

    @property
    def age(self) -> timedelta:
        """Return how long ago the current version was the whole truth."""
        assert self.as_of is not None
        return max(self.now - self.as_of, timedelta(0))

    @property
    def stale(self) -> bool:
        """Return whether the current version is older than promised; a final one never is."""
        return self.final_version is None and self.age > PROMISED_FRESHNESS

    @property
    def current(self) -> int:
        """Return the number of the current version; NoPublishedVersion if there is none."""
        if self.number is None:
            raise NoPublishedVersion
        return self.number

    def board_of(self, region: str | None) -> int:
        """Return the number of a region's board, 0 for the global one; else RegionNotFound."""
        if region is None:
            return 0
        if region not in self.regions:
            raise RegionNotFound
        return self.regions.index(region) + 1

    def is_counted(self, board: int) -> bool:
        """Return whether a board has a count for each score, not boundaries."""
        assert self.boundary_sets is not None
        return self.boundary_sets[board] == 0

    @property
    def literals(self) -> dict[str, int]:
        """Return the season's integers for statements that read its boards."""
        assert self.lower_score is not None
        assert self.bucket_width is not None
        return {
            "season_id": self.season_id,
            "namespace": self.namespace,
            "lower_score": self.lower_score,
            "bucket_width": self.bucket_width,
        }


def published(slug: str, *, using: str = "reads") -> Published:
    """Return the season as its readers know it; SeasonNotFound, or SeasonRetired."""
    found = published_of([slug], using=using)
    if not found:
        raise SeasonNotFound
    if found[0].retired_at is not None:
        raise SeasonRetired
    return found[0]


def published_of(slugs: Sequence[str], *, using: str = "reads") -> list[Published]:
    """Return the seasons as their readers know them, in no order; unknown ones are left out."""
    # The clock is read after the reply: a wait for a connection would count as age.
    return db.fetch_all(
        lambda *columns: Published._make((*columns, time.monotonic())),
        PUBLISHED,
        using=using,
        slugs=list(slugs),
    )
