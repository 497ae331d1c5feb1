"""Series for tests, in a time zone in which it is about noon: no test runs over a midnight."""

from datetime import UTC, datetime
from typing import Any

from leaderboard.operations.create_series import create_series
from seasons.models import Season, Series
from seasons.rules import Kind, SeriesRules, WindowWanted
from tests.factories import unused_slug

DAILY = WindowWanted("daily", "daily")
ALL_TIME = WindowWanted("all-time", "all_time")


def noon() -> str:
    """Return the name of a time zone in which it is about noon."""
    ahead = 12 - datetime.now(UTC).hour
    return f"Etc/GMT{-ahead:+d}" if ahead else "Etc/GMT"


def windows(*kinds: Kind) -> tuple[WindowWanted, ...]:
    """Return windows of some kinds."""
    return tuple(WindowWanted(kind.replace("_", "-"), kind) for kind in kinds)


def series_rules(**members: Any) -> SeriesRules:
    """Return the rules of a series with days, unless they say otherwise."""
    slug = members.pop("slug", None) or unused_slug()
    known = {"slug": slug, "name": "Ladder", "time_zone": noon(), "windows": (DAILY,)}
    return SeriesRules(**{**known, **members})


def make_series(**members: Any) -> Series:
    """Make a series with days, unless its rules say otherwise."""
    return create_series(series_rules(**members))


def seasons_of(series: Series) -> list[Season]:
    """Return the seasons of a series in the order in which they were made."""
    return list(Season.objects.filter(window__rule__series=series).order_by("id"))
