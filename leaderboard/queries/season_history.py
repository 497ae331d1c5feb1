"""What has happened to seasons: transitions, versions, candidates, verifications."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from config import db
from leaderboard.models import Candidate, Verification, Version
from seasons.models import Transition

LATEST_VERIFICATIONS = db.statement(__file__, "latest_verifications")

LATEST = 20


class LatestVerification(NamedTuple):
    """The newest finished verification of a season."""

    season_id: int
    id: int
    version: int
    scope: str
    finished_at: datetime
    agrees: bool


class SeasonHistory(NamedTuple):
    """The newest of each, newest first."""

    transitions: list[Transition]
    versions: list[Version]
    candidates: list[Candidate]
    verifications: list[Verification]


def latest_verifications(
    season_ids: Sequence[int], *, using: str = "reads"
) -> dict[int, LatestVerification]:
    """Return the newest finished verification of each season that has one."""
    rows = db.fetch_all(
        LatestVerification, LATEST_VERIFICATIONS, using=using, season_ids=list(season_ids)
    )
    return {row.season_id: row for row in rows}


def season_history(season_id: int, namespace: int) -> SeasonHistory:
    """Return what has happened to a season lately."""
    versions = Version.objects.filter(namespace=namespace).order_by("-namespace", "-number")
    verifications = Verification.objects.filter(season_id=season_id)
    return SeasonHistory(
        list(Transition.objects.filter(season_id=season_id).order_by("-id")[:LATEST]),
        list(versions[:LATEST]),
        list(Candidate.objects.filter(season_id=season_id).order_by("-id")[:LATEST]),
        list(verifications.order_by("-season_id", "-id")[:LATEST]),
    )
