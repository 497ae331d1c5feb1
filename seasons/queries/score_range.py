"""The range of scores that a season takes."""

from config.errors import SeasonNotFound
from seasons.models import Season
from seasons.rules import ScoreRange


def score_range_of(slug: str, *, using: str = "default") -> ScoreRange:
    """Return the scores of a season and how they are stored; SeasonNotFound if there is none."""
    seasons = Season.objects.using(using).filter(slug=slug)
    found = seasons.values_list("score_min", "score_max", "order").first()
    if found is None:
        raise SeasonNotFound
    return ScoreRange(*found)
