"""The range of scores that a season takes."""

from config.errors import SeasonNotFound
from seasons.models import Season


def score_range_of(slug: str) -> tuple[int, int]:
    """Return the lowest and the highest score of a season; SeasonNotFound if there is none."""
    found = Season.objects.filter(slug=slug).values_list("score_min", "score_max").first()
    if found is None:
        raise SeasonNotFound
    return found
