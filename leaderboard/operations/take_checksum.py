"""Take the checksum of a final or corrected version, once."""

from config import db
from leaderboard.models import Results
from leaderboard.queries.published import published
from leaderboard.queries.results import Checksum, checksum_of, ranked, stored_checksum, walk


def take_checksum(slug: str, version: int) -> Checksum:
    """
    Return the checksum over all lines of a version, and store it for those who ask later.

    Walks the whole version, some seconds a million players, in bounded memory. Safe to run
    twice: the content of a version never changes. Raises SeasonNotFound and VersionExpired.
    """
    season = published(slug, using="default")
    stored = stored_checksum(season.season_id, version, using="default")
    if stored is not None:
        return stored
    taken = checksum_of(ranked(season, walk(season, version, using="default")))
    with db.transact:
        Results.objects.bulk_create(
            [Results(season_id=season.season_id, version=version, **taken._asdict())],
            ignore_conflicts=True,
        )
    return taken
