"""End a season's epoch and publish it: what happens every second."""

from leaderboard.models import Stop
from leaderboard.operations.publish_version import Publication, publish_version
from seasons.operations import seal_epoch

RUNS_AT_ONCE = 5


def seal_and_publish(season_id: int, *, despite_stop: bool = False) -> Publication:
    """
    Seal the open epoch of a season, then publish all that is sealed: two operations in turn.

    A season whose publication is stopped is not sealed either, so that its undo stays small.
    After a stall, several versions follow each other, five at most in one call.
    """
    if not despite_stop and Stop.objects.filter(season_id=season_id).exists():
        return Publication("stopped")
    seal_epoch(season_id)
    publication = publish_version(season_id, despite_stop=despite_stop)
    for _ in range(RUNS_AT_ONCE - 1):
        if not publication.more:
            break
        publication = publish_version(season_id, despite_stop=despite_stop)
    return publication
