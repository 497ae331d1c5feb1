"""The windows of a series with their seasons: those that are played, and those before."""

from datetime import datetime
from typing import NamedTuple

from config import db
from seasons.rules import FOR_EVER, Status, status

PRESENT_WINDOWS = db.statement(__file__, "present_windows")
PAST_WINDOWS = db.statement(__file__, "past_windows")


class PastPlace(NamedTuple):
    """A place among the windows that are over: that of one, or before them all."""

    starts_at: datetime = FOR_EVER
    rule_id: int = 0


class SeasonInWindow(NamedTuple):
    """A season of a series, and by which rule it was made, as it was at `read_at`."""

    season_id: int
    suffix: str
    slug: str
    starts_at: datetime
    cutoff_at: datetime
    final_version: int | None
    retired_at: datetime | None
    window_starts_at: datetime
    rule_id: int
    read_at: datetime

    @property
    def status(self) -> Status:
        """Return the state of the season."""
        return status(
            starts_at=self.starts_at,
            cutoff_at=self.cutoff_at,
            final_version=self.final_version,
            now=self.read_at,
        )

    @property
    def place(self) -> PastPlace:
        """Return where the window stands among those that are over."""
        return PastPlace(self.window_starts_at, self.rule_id)


def present_windows(series_id: int, *, using: str = "reads") -> list[SeasonInWindow]:
    """Return the seasons of a series that are open or still to begin, rule by rule."""
    return db.fetch_all(SeasonInWindow, PRESENT_WINDOWS, using=using, series_id=series_id)


def past_windows(
    series_id: int, before: PastPlace, *, limit: int, using: str = "reads"
) -> list[SeasonInWindow]:
    """Return the seasons of a series whose cutoff has passed, the newest first."""
    return db.fetch_all(
        SeasonInWindow,
        PAST_WINDOWS,
        using=using,
        series_id=series_id,
        before_start=before.starts_at,
        before_rule=before.rule_id,
        limit=limit,
    )
