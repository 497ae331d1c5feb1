"""All seasons as their readers know them."""

import time
from collections import defaultdict
from collections.abc import Iterable

from config import db
from leaderboard.models import Version
from leaderboard.queries.published import Published

PUBLISHED_SEASONS = db.statement(__file__, "published_seasons")


def published_seasons(after: str, *, limit: int, using: str = "reads") -> list[Published]:
    """Return the seasons whose slugs come after a text, in order of slugs."""
    return db.fetch_all(
        lambda *columns: Published._make((*columns, time.monotonic())),
        PUBLISHED_SEASONS,
        using=using,
        after=after,
        limit=limit,
    )


def corrected_versions(season_ids: Iterable[int], *, using: str = "reads") -> dict[int, list[int]]:
    """Return the numbers of the versions that correct a final one, for each season."""
    found: dict[int, list[int]] = defaultdict(list)
    versions = Version.objects.using(using).filter(season_id__in=season_ids, kind="corrected")
    for season_id, number in versions.order_by("number").values_list("season_id", "number"):
        found[season_id].append(number)
    return found
