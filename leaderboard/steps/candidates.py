"""The version that is to become final: chosen, discarded, or made final."""

from django.db.models.functions import Now

from config import db
from config.errors import Unavailable
from leaderboard.models import Candidate, Current, Version
from leaderboard.queries.watermark import changed_since, last_ledger_id
from seasons.models import Season
from seasons.queries import SeasonForWrite
from seasons.steps import record_transition

TRY_PUBLISHER = db.statement(__file__, "try_publisher")


def standing_candidate(season_id: int) -> Candidate | None:
    """Return the season's candidate that was not discarded, if there is one."""
    return Candidate.objects.filter(season_id=season_id, discarded_at=None).last()


def choose_candidate(season: Season) -> Candidate:
    """Take the current version as the candidate, with the input high watermark."""
    db.require_transaction()
    current = Current.objects.get(season_id=season.id)
    return Candidate.objects.create(
        season=season,
        version=current.number,
        through=current.through,
        ledger_id=last_ledger_id(season.ledger_namespace, current.through),
    )


def discard(candidate: Candidate, because: str) -> None:
    """Let go of a candidate, and say why."""
    db.require_transaction()
    Candidate.objects.filter(id=candidate.id).update(discarded_at=Now(), discarded_because=because)


def make_final(season: SeasonForWrite, candidate: Candidate, *, actor: str, reason: str) -> bool:
    """
    Freeze the candidate's version, behind the exclusive fence and the publisher's lock.

    Returns False, and discards the candidate, if anything was accepted since that a board
    shows. Raises Unavailable while a publication is under way.
    """
    db.require_transaction()
    if not db.fetch_one(bool, TRY_PUBLISHER.literal(season_id=season.season_id)):
        raise Unavailable("A publication is under way; nothing was changed.")
    current = Current.objects.get(season_id=season.season_id)
    if current.number != candidate.version or changed_since(
        season.ledger_namespace, candidate.through
    ):
        discard(candidate, "Something was accepted after it that a board shows.")
        return False
    Version.objects.filter(namespace=season.namespace, number=candidate.version).update(
        kind="final"
    )
    Season.objects.filter(id=season.season_id).update(final_version=candidate.version)
    Candidate.objects.filter(id=candidate.id).update(became_final_at=Now())
    record_transition(season.season_id, "final", season.accepted_at, actor=actor, reason=reason)
    return True
