"""The range of scores that a season takes, or each season of a series."""

from config.errors import SeasonNotFound, SeriesNotFound
from seasons.models import Season, Series
from seasons.rules import ScoreRange

SCORES = ("score_min", "score_max", "order")


def score_range_of(slug: str, *, using: str = "default") -> ScoreRange:
    """Return the scores of a season and how they are stored; SeasonNotFound if there is none."""
    found = Season.objects.using(using).filter(slug=slug).values_list(*SCORES).first()
    if found is None:
        raise SeasonNotFound
    return ScoreRange(*found)


def score_range_of_series(slug: str) -> ScoreRange:
    """Return the scores of a series and how they are stored; SeriesNotFound if there is none."""
    found = Series.objects.filter(slug=slug).values_list(*SCORES).first()
    if found is None:
        raise SeriesNotFound
    return ScoreRange(*found)
