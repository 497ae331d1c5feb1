"""Series by their ids."""

from config.errors import SeriesNotFound
from seasons.models import Series


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
