"""In which seasons of a series instants lie."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from config import db
from seasons.models import WindowRule

SEASONS_AT = db.statement(__file__, "seasons_at")


class SeasonAt(NamedTuple):
    """A season of a series, by which of its rules, and from when to when it lasts."""

    rule_id: int
    starts_at: datetime
    cutoff_at: datetime
    season_id: int
    slug: str

    def contains(self, instant: datetime) -> bool:
        """Return whether a result completed then belongs to it."""
        return self.starts_at <= instant < self.cutoff_at


def seasons_at(series_id: int, instants: Iterable[datetime]) -> list[SeasonAt]:
    """Return the seasons of a series that the instants lie in, rule by rule, the oldest first."""
    rules = WindowRule.objects.filter(series_id=series_id)
    return _found(list(rules.values_list("id", flat=True)), instants)


def others_at(season_id: int, instants: Iterable[datetime]) -> list[SeasonAt]:
    """Return the seasons by the same rule as one that the instants lie in, but for itself."""
    rules = WindowRule.objects.filter(windows__season_id=season_id)
    found = _found(list(rules.values_list("id", flat=True)), instants)
    return [season for season in found if season.season_id != season_id]


def _found(rule_ids: Sequence[int], instants: Iterable[datetime]) -> list[SeasonAt]:
    asked = sorted(set(instants))
    return db.fetch_all(SeasonAt, SEASONS_AT, rule_ids=list(rule_ids), instants=asked)
