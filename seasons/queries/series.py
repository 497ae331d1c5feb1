"""Series by their ids."""

from config.errors import SeriesNotFound
from seasons.models import Series


def series_of(slug: str, *, using: str = "default") -> Series:
    """Return a series; SeriesNotFound if there is none of this name."""
    found = Series.objects.using(using).filter(slug=slug).first()
    if found is None:
        raise SeriesNotFound
    return found


def series_after(after: str, *, limit: int, using: str = "reads") -> list[Series]:
    """Return the series whose ids come after a text, with the rules of their windows, in order."""
    found = Series.objects.using(using).filter(slug__gt=after).order_by("slug")
    return list(found.prefetch_related("window_rules")[:limit])
