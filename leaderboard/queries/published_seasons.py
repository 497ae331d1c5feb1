"""All seasons as their readers know them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from leaderboard.models import Settlement, Version
from leaderboard.queries.published import Published, published_of
from seasons.models import Season


def published_seasons(after: str, *, limit: int, using: str = "reads") -> list[Published]:
    """Return the seasons whose slugs come after a text, in order of slugs; no retired ones."""
    there = Season.objects.using(using).filter(slug__gt=after, retired_at=None)
    seasons = there.order_by("slug")
    slugs = list(seasons.values_list("slug", flat=True)[:limit])
    found = {season.slug: season for season in published_of(slugs, using=using)}
    return [found[slug] for slug in slugs if slug in found]


def corrected_versions(
    namespaces: Mapping[int, int], *, using: str = "reads"
) -> dict[int, list[int]]:
    """
    Return the numbers of the versions that correct a final one, for each season.

    `namespaces` has the namespace in use of each season that is asked about.
    """
    found: dict[int, list[int]] = defaultdict(list)
    versions = Version.objects.using(using).filter(
        namespace__in=list(namespaces.values()), kind="corrected"
    )
    for season_id, number in versions.order_by("number").values_list("season_id", "number"):
        found[season_id].append(number)
    return found


def settlements(season_ids: Iterable[int], *, using: str = "reads") -> dict[int, list[Settlement]]:
    """Return the reward runs on record of each season, oldest first."""
    found: dict[int, list[Settlement]] = defaultdict(list)
    recorded = Settlement.objects.using(using).filter(season_id__in=list(season_ids))
    for settlement in recorded.order_by("id"):
        found[settlement.season_id].append(settlement)
    return found
