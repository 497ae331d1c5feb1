"""Series by their ids."""

from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import SeriesNotFound
from seasons.models import Series
from seasons.rules import ScoreRange

SERIES_FOR_WRITE = db.statement(__file__, "series_for_write")


class SeriesForWrite(NamedTuple):
    """A series that results are sent for, as it was at `read_at`."""

    series_id: int
    score_min: int
    score_max: int
    order: str
    read_at: datetime

    @property
    def scores(self) -> ScoreRange:
        """Return the scores that results may have, in each of its seasons."""
        return ScoreRange(self.score_min, self.score_max, self.order)


def series_for_write(slug: str) -> SeriesForWrite:
    """Return what is said of results for a series; SeriesNotFound if there is none."""
    found = db.fetch_one(SeriesForWrite, SERIES_FOR_WRITE, slug=slug)
    if found is None:
        raise SeriesNotFound
    return found


def series_of(slug: str, *, using: str = "default") -> Series:
    """Return a series with the rules of its windows; SeriesNotFound if there is none."""
    series = Series.objects.using(using).filter(slug=slug)
    found = series.prefetch_related("window_rules").first()
    if found is None:
        raise SeriesNotFound
    return found


def series_after(after: str, *, limit: int, using: str = "reads") -> list[Series]:
    """Return the series whose ids come after a text, with the rules of their windows, in order."""
    found = Series.objects.using(using).filter(slug__gt=after).order_by("slug")
    return list(found.prefetch_related("window_rules")[:limit])
