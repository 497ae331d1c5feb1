"""Rebuild a season: from phase to phase, from where the last run stopped."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence

from django.db import IntegrityError

from leaderboard.models import Rebuild
from leaderboard.operations.rebuild.catch_up import catch_up
from leaderboard.operations.rebuild.compare import compare
from leaderboard.operations.rebuild.fill import attach, count, fill
from leaderboard.operations.rebuild.hold import Hold, Tell
from leaderboard.operations.rebuild.refusals import CannotRebuild
from leaderboard.operations.rebuild.shadow import shadow
from leaderboard.operations.rebuild.swap import swap
from leaderboard.operations.rebuild.work import Work
from seasons.models import Season
from seasons.queries import season_id_of

SWAPPED = "swapped"
ABANDONED = "abandoned"
PHASES: Mapping[str, Callable[[Work], None]] = {
    "begun": fill,
    "folded": attach,
    "indexed": count,
    "counted": catch_up,
    "caught_up": compare,
    "compared": shadow,
    "shadowed": swap,
}

_DOING = {
    "begun": "fill",
    "folded": "index",
    "indexed": "count",
    "counted": "catch up",
    "caught_up": "compare",
    "compared": "shadow",
    "shadowed": "swap",
}

log = logging.getLogger(__name__)


def silent(phase: str, done: int, total: int) -> None:
    """Tell nobody."""


def rebuild_season(
    slug: str,
    source: str = "ledger",
    *,
    asked_lately: Sequence[str] = (),
    old_is_wrong: bool = False,
    tell: Tell = silent,
) -> Rebuild:
    """
    Make a season's bests and boards anew and put them in place; return what was done.

    `asked_lately` are players whom readers asked for; `old_is_wrong` says that the boards in
    use are known to be wrong, so that only the ledger counts. Each phase is a transaction of
    its own, and a run goes on where the last one stopped.
    Raises SeasonNotFound, CannotRebuild with a sentence, Differs when what was made disagrees
    with the boards in use or with the ledger, and CheckFailed when it disagrees with itself.
    The namespace that was replaced is kept until it is dropped.
    """
    season = Season.objects.get(id=season_id_of(slug))
    rebuild = _unfinished(season) or _begun(season, source)
    if rebuild.source != source:
        raise CannotRebuild(f"A rebuild from the {rebuild.source} has begun: go on with that.")
    with Hold(rebuild.id, tell) as hold:
        if old_is_wrong:
            rebuild.refresh_from_db()
            report = {**rebuild.report, "old_is_wrong": True}
            Rebuild.objects.filter(id=rebuild.id).update(report=report)
        rebuild.refresh_from_db()
        while rebuild.phase in PHASES:
            _go_on(Work(rebuild, season, hold, asked_lately))
            rebuild.refresh_from_db()
    return rebuild


def _go_on(work: Work) -> None:
    phase, began = work.rebuild.phase, time.monotonic()
    work.hold.tell(_DOING[phase], 0, 1)
    PHASES[phase](work)
    work.hold.tell(_DOING[phase], 1, 1)
    work.rebuild.refresh_from_db()
    seconds = time.monotonic() - began
    log.info(
        "rebuild season=%s namespace=%s %s -> %s seconds=%.1f",
        work.season.slug,
        work.rebuild.namespace,
        phase,
        work.rebuild.phase,
        seconds,
    )
    spent = {**work.rebuild.report.get("seconds", {}), work.rebuild.phase: round(seconds, 1)}
    report = {**work.rebuild.report, "seconds": spent}
    Rebuild.objects.filter(id=work.rebuild.id).update(report=report)


def _unfinished(season: Season) -> Rebuild | None:
    return Rebuild.objects.filter(season=season).exclude(phase__in=[SWAPPED, ABANDONED]).first()


def _begun(season: Season, source: str) -> Rebuild:
    try:
        return Rebuild.objects.create(season=season, source=source, replaces=season.namespace)
    except IntegrityError:
        begun = _unfinished(season)
        assert begun is not None, "the constraint lets one rebuild of a season be unfinished"
        return begun
