"""Let go of a namespace that a rebuild replaced, or of one that it did not finish."""

from django.db.models.functions import Now

from config import db
from leaderboard.models import Rebuild
from leaderboard.operations.drop_namespace import drop_namespace
from leaderboard.operations.rebuild.hold import Hold, Tell
from leaderboard.operations.rebuild.refusals import CannotRebuild
from leaderboard.operations.rebuild.season import ABANDONED, SWAPPED, silent
from seasons.models import Season
from seasons.queries import season_id_of


def drop_replaced(slug: str, *, tell: Tell = silent) -> list[int]:
    """
    Drop the namespaces that rebuilds of a season replaced, and return their numbers.

    Not a transaction: nobody else waits, and a run that was broken off is gone on with.
    """
    season_id = season_id_of(slug)
    replaced = Rebuild.objects.filter(season_id=season_id, phase=SWAPPED, dropped_at=None)
    dropped = []
    for rebuild in replaced.order_by("id"):
        with Hold(rebuild.id, tell) as hold:
            _drop(season_id, rebuild.replaces)
            with db.transact:
                hold.finish(dropped_at=Now())
        dropped.append(rebuild.replaces)
    return dropped


def abandon_rebuild(slug: str, *, tell: Tell = silent) -> Rebuild:
    """Drop what an unfinished rebuild of a season made; CannotRebuild if there is none."""
    season_id = season_id_of(slug)
    unfinished = Rebuild.objects.filter(season_id=season_id)
    rebuild = unfinished.exclude(phase__in=[SWAPPED, ABANDONED]).first()
    if rebuild is None:
        raise CannotRebuild("No rebuild of this season is unfinished.")
    with Hold(rebuild.id, tell) as hold:
        rebuild.refresh_from_db()
        if rebuild.namespace is not None:
            _drop(season_id, rebuild.namespace)
        with db.transact:
            hold.finish(phase=ABANDONED, dropped_at=Now())
    rebuild.refresh_from_db()
    return rebuild


def _drop(season_id: int, namespace: int) -> None:
    if Season.objects.filter(id=season_id, namespace=namespace).exists():
        raise CannotRebuild(f"The namespace {namespace} is in use.")
    drop_namespace(namespace)
