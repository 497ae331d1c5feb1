"""The rebuilds that are under way, or were broken off."""

from leaderboard.models import Rebuild

FINISHED = ("swapped", "abandoned")


def unfinished_rebuilds(*, using: str = "reads") -> list[Rebuild]:
    """Return the rebuilds that are not finished, with their seasons."""
    rebuilds = Rebuild.objects.using(using).select_related("season")
    return list(rebuilds.exclude(phase__in=FINISHED).order_by("id"))
