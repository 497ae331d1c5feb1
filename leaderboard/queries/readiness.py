"""Whether seasons can be served, and which are not as they should be."""

from datetime import timedelta
from typing import NamedTuple

from config import db
from leaderboard.queries.published import PROMISED_FRESHNESS

READINESS = db.statement(__file__, "readiness")
DEGRADED_SEASONS = db.statement(__file__, "degraded_seasons")

# 50 million players are proved within it.
PATIENCE_BEFORE_FINAL = timedelta(minutes=30)


class Readiness(NamedTuple):
    """How many seasons there are, and how many have a version to serve."""

    seasons: int
    served: int


class DegradedSeason(NamedTuple):
    """
    A season that is not as it should be; no number: nothing was published.

    `over_seconds` is how long its grace time has been over, below zero before that.
    """

    slug: str
    number: int | None
    age_seconds: float | None
    failed_check: str | None
    writes_stopped: bool
    disagreeing_candidate: int | None
    unproved_version: int | None
    over_seconds: float


def readiness(*, using: str = "reads") -> Readiness:
    """Return how many seasons can be served."""
    found = db.fetch_one(Readiness, READINESS, using=using)
    assert found is not None
    return found


def degraded_seasons(
    *,
    promised: timedelta = PROMISED_FRESHNESS,
    patience: timedelta = PATIENCE_BEFORE_FINAL,
    using: str = "reads",
) -> list[DegradedSeason]:
    """
    Return the seasons that are stopped, damaged, unproved, unpublished, behind or not final.

    A season is proved before it is final, which takes as long as its ledger is: `patience`.
    """
    return db.fetch_all(
        DegradedSeason, DEGRADED_SEASONS, using=using, promised=promised, patience=patience
    )
