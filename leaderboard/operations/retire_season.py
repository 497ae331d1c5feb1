"""
The end of a season that was kept long enough, or never began: it is refused, and then dropped.

From the first transaction on, whoever asks for it is told that it is gone. Its tables are
dropped after that, without making anybody wait; the row of the season, its transitions, its
checksums and settlements stay for ever, and the record says what there was.
"""

import logging
from typing import Any

from django.db.models.functions import Now

from config import db
from config.errors import Unavailable, WrongState
from leaderboard.models import Current, Rebuild, Results, Retirement, Version
from leaderboard.operations.drop_namespace import drop_namespace
from scores.steps import purge_tallies
from scores.steps.dropping import drop_ledger
from seasons.models import Season
from seasons.queries import SeasonForWrite
from seasons.steps import behind_exclusive_fence, delete_seals, set_retired

TRY_PUBLISHER = db.statement(__file__, "try_publisher")
CLAIM_RETIREMENT = db.statement(__file__, "claim_retirement")
RETIRE_PUBLICATIONS = db.statement(__file__, "retire_publications")
RETIRE_BOARDS = db.statement(__file__, "retire_boards")

KEPT_LONG_ENOUGH = "It was kept as long as the rule of its series says."
# A worker that was killed gives nothing back: after this time another one goes on.
HELD_SECONDS = 5 * 60
LAST = 2**63 - 1

log = logging.getLogger(__name__)


def retire_season(season_id: int, *, reason: str = KEPT_LONG_ENOUGH) -> Retirement:
    """
    Refuse whatever is asked of a season from now on, and record what it was.

    Behind the exclusive fence and the publisher's lock, so that no write and no publication is
    under way. Raises WrongState for a season that is open or closing, SeasonRetired for one that
    is retired already, and Unavailable while others are in the way.
    """

    def change(season: SeasonForWrite) -> Retirement:
        if season.takes_results:
            raise WrongState(f"The season is {season.status}: it has begun and is not final.")
        if not db.fetch_one(bool, TRY_PUBLISHER.literal(season_id=season_id)):
            raise Unavailable("A publication is under way; nothing was changed.")
        set_retired(season_id, season.accepted_at)
        return Retirement.objects.create(season_id=season_id, reason=reason, **_facts(season))

    retirement = behind_exclusive_fence(season_id, change)
    log.info("season=%s is retired: %s", season_id, reason)
    return retirement


def drop_retired(*, held_seconds: int = HELD_SECONDS) -> str | None:
    """
    Drop the tables of the season that was retired first, and return its id; None if none waits.

    Not a transaction: a run that was broken off anywhere is gone on with by the next one.
    """
    with db.transact:
        retirement_id = db.fetch_one(int, CLAIM_RETIREMENT, held_seconds=held_seconds)
    if retirement_id is None:
        return None
    retirement = Retirement.objects.select_related("season").get(id=retirement_id)
    season = retirement.season
    namespaces = _namespaces(season)
    for namespace in namespaces:
        drop_namespace(namespace)
    drop_ledger(season.ledger_namespace)
    while db.execute(RETIRE_PUBLICATIONS.literal(season_id=season.id)):
        continue
    _finish(retirement, namespaces)
    log.info("season=%s is dropped namespaces=%s", season.id, namespaces)
    return season.slug


def _facts(season: SeasonForWrite) -> dict[str, Any]:
    current = Current.objects.get(season_id=season.season_id)
    version = Version.objects.get(namespace=season.namespace, number=current.number)
    final = season.final_version
    results = Results.objects.filter(season_id=season.season_id, version=final or 0)
    return {
        "final_version": final,
        "players": version.members[0],
        "ledger_rows": current.ledger_rows,
        "sha256": results.values_list("sha256", flat=True).first() or "",
    }


def _namespaces(season: Season) -> list[int]:
    """Return the namespace in use, and those that rebuilds of the season left."""
    left = Rebuild.objects.filter(season=season, dropped_at=None)
    pairs = left.values_list("namespace", "replaces")
    return sorted({season.namespace, *(one for pair in pairs for one in pair if one is not None)})


def _finish(retirement: Retirement, namespaces: list[int]) -> None:
    season = retirement.season
    with db.transact:
        purge_tallies(season.ledger_namespace, LAST)
        delete_seals(season.id, after_epoch=0, to_epoch=LAST)
        db.execute(RETIRE_BOARDS.literal(season_id=season.id))
        Rebuild.objects.filter(season=season, dropped_at=None).update(dropped_at=Now())
        Retirement.objects.filter(id=retirement.id).update(
            namespaces=namespaces, dropped_at=Now(), held_until=None
        )
