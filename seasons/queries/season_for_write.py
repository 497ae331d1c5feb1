"""What a writer must know of its season."""

from datetime import datetime, timedelta
from typing import NamedTuple

from config import db
from config.errors import SeasonNotFound, SeasonRetired
from seasons.rules import ScoreRange, Status, Timeliness, status, timeliness

SEASON_FOR_WRITE = db.statement(__file__, "season_for_write")


class SeasonForWrite(NamedTuple):
    """The season under the fence: its rules, its open epoch, and the time of acceptance."""

    season_id: int
    namespace: int
    ledger_namespace: int
    starts_at: datetime
    cutoff_at: datetime
    grace_seconds: int
    late_policy: str
    score_min: int
    score_max: int
    tie_rule: str
    order: str
    keep: str
    regions: list[str]
    final_version: int | None
    bests_damaged_at: datetime | None
    retired_at: datetime | None
    has_display: bool
    open_epoch: int
    accepted_at: datetime

    @property
    def status(self) -> Status:
        """Return the state of the season at the time of acceptance."""
        return status(
            starts_at=self.starts_at,
            cutoff_at=self.cutoff_at,
            final_version=self.final_version,
            now=self.accepted_at,
        )

    @property
    def scores(self) -> ScoreRange:
        """Return the scores that results may have, and how they are stored."""
        return ScoreRange(self.score_min, self.score_max, self.order)

    def board_of(self, region: str | None) -> int | None:
        """Return the number of a region's board, None for a region that the season has not."""
        return self.regions.index(region) + 1 if region in self.regions else None

    def timeliness_of(self, completed_at: datetime) -> Timeliness:
        """Return whether a result completed then, and accepted now, counts."""
        return timeliness(
            completed_at=completed_at,
            accepted_at=self.accepted_at,
            starts_at=self.starts_at,
            cutoff_at=self.cutoff_at,
            grace=timedelta(seconds=self.grace_seconds),
        )

    def counts_all(self, first: datetime, last: datetime) -> bool:
        """Return whether all results count that were completed from the first to the last."""
        return self.timeliness_of(first) == self.timeliness_of(last) == "in_time"

    def is_late(self, completed_at: datetime) -> bool:
        """Return whether a result completed then, and accepted now, comes too late."""
        return self.timeliness_of(completed_at) == "late"

    def takes(self, completed_at: datetime) -> bool:
        """Return whether the season takes results, and one completed then counts."""
        return self.takes_results and self.timeliness_of(completed_at) == "in_time"

    @property
    def is_over(self) -> bool:
        """Return whether the grace time is over, so that no result in time can come any more."""
        return self.accepted_at >= self.cutoff_at + timedelta(seconds=self.grace_seconds)

    @property
    def takes_results(self) -> bool:
        """Return whether the season has begun and is not final."""
        return self.status in {"open", "closing"}


def season_for_write(season_id: int) -> SeasonForWrite:
    """Return the season and its open epoch, as they are now that the fence is held."""
    db.require_transaction()
    found = db.fetch_one(SeasonForWrite, SEASON_FOR_WRITE.literal(season_id=season_id))
    if found is None:
        raise SeasonNotFound
    if found.retired_at is not None:
        raise SeasonRetired
    return found
