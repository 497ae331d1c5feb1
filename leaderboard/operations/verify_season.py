"""Verify a version: recompute it from the ledger, compare, and store what was found."""

import logging
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.db.models.functions import Now

from config.errors import NoPublishedVersion, VersionExpired
from leaderboard.models import Verification
from leaderboard.operations.held_version import held_version
from leaderboard.proof import (
    Answer,
    Check,
    Proof,
    RankAt,
    Subject,
    equal,
    prove,
    prove_sample,
    subject_of,
)
from leaderboard.queries.published import Published, published
from leaderboard.queries.rank_of_player import rank_of_player
from leaderboard.queries.results import checksum_of, ranked, stored_checksum, walk
from seasons.queries import season_id_of

WHOLE, SAMPLE = "whole", "sample"
SAMPLES_KEPT = timedelta(days=1)

_PROOFS = {WHOLE: prove, SAMPLE: prove_sample}

log = logging.getLogger(__name__)


def verify_season(
    slug: str,
    *,
    version: int | None = None,
    scope: str = WHOLE,
    say: Callable[[str], None] | None = None,
) -> Verification:
    """
    Recompute a version from the ledger, compare all that is stored, and return what was found.

    Without a number it is the current version. The scope `sample` looks at some players and
    reads a bounded number of rows. Several transactions: the verification is stored when it
    begins and when it ends, and a lease keeps the version meanwhile, so that writes,
    publications and purges go on; others may verify at the same time. `say` is told of each
    phase. Raises SeasonNotFound, NoPublishedVersion, VersionUnknown and VersionExpired.
    """
    season_id = season_id_of(slug)
    number = subject_of(season_id, version).version
    with held_version(season_id, number, f"verify {uuid.uuid4()}") as lease:
        subject = subject_of(season_id, number)
        begun = Verification.objects.create(
            season_id=season_id, version=number, namespace=subject.namespace, scope=scope
        )
        try:
            proof = _PROOFS[scope](subject, rank_at(published(slug), number), say)
            proof = proof._replace(checks=[*proof.checks, *_results(slug, number, scope)])
            lease.require()
            # Whatever went with the version would look like a difference.
            _require_same(subject, subject_of(season_id, number))
        except Exception as failure:
            _finish(begun, None, {"failure": str(failure) or type(failure).__name__})
            raise
        _finish(begun, proof, proof.as_json())
    if not proof.agrees:
        kinds = ", ".join(check.kind for check in proof.checks if check.differing)
        log.error("season=%s version=%s is not what its ledger says: %s", slug, number, kinds)
    if scope == SAMPLE:
        _forget_old_samples(season_id)
    return begun


def rank_at(season: Published, version: int) -> RankAt:
    """Return what asks the read statement for a player's rank on a board at a version."""

    def answer(player_id: str, board: int) -> Answer | None:
        try:
            found = rank_of_player(season, player_id, version=version, board=board)
        except NoPublishedVersion:
            return Answer(None, -1)
        return found and Answer(found.score, found.rank)

    return answer


def _finish(begun: Verification, proof: Proof | None, report: dict[str, Any]) -> None:
    Verification.objects.filter(id=begun.id).update(
        finished_at=Now(), agrees=proof and proof.agrees, report=report
    )
    begun.refresh_from_db()


def _forget_old_samples(season_id: int) -> None:
    Verification.objects.filter(
        season_id=season_id, scope=SAMPLE, agrees=True, started_at__lt=Now() - SAMPLES_KEPT
    ).delete()


def _results(slug: str, version: int, scope: str) -> Iterator[Check]:
    """Compare the checksum that rewards go by, once it is stored, with all its lines."""
    season = published(slug, using="default")
    stored = stored_checksum(season.season_id, version, using="default")
    if stored is not None and scope == WHOLE:
        yield equal(
            "results", checksum_of(ranked(season, walk(season, version, using="default"))), stored
        )


def _require_same(before: Subject, after: Subject) -> None:
    if before.namespace != after.namespace:
        raise VersionExpired("A rebuild replaced the boards meanwhile.")
