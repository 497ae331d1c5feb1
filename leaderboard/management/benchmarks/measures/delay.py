"""How long from the acceptance of a result until a version that shows it can be seen."""

import time
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import numpy as np

from config import db
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure, at_most
from seasons.models import Season

CURRENT_VERSION_NOW = db.statement(__file__, "current_version_now")
ACCEPTED_SINCE = db.statement(__file__, "accepted_since")

SECONDS_BETWEEN_LOOKS = 0.01
LONGEST = at_most(2.0)


class Sighting(NamedTuple):
    """When a version was first seen to be the current one, by the database's clock."""

    number: int
    seen_at: datetime


class Accepted(NamedTuple):
    """Results that were accepted together, and the first version that shows them."""

    accepted_at: datetime
    visible_in_version: int
    events: int


def delay(bench: Bench, seconds: float) -> list[Figure]:
    """Watch the versions of the season under load, and hold them against its ledger."""
    season = bench.largest
    sightings = list(_sightings(season, seconds))
    delays = np.concatenate(list(_delays(season, sightings)) or [np.empty(0)])
    if not len(delays):
        raise CannotMeasure(
            "No result was accepted and published while the versions were watched."
        )
    where = f"at {bench.options.rate:,} results/s"
    return [
        Figure(
            f"accepted -> visible p{share}, {where}",
            "s",
            [float(np.percentile(delays, share))],
            goal,
        )
        for share, goal in ((50, None), (99, LONGEST))
    ]


def _sightings(season: Season, seconds: float) -> Iterator[Sighting]:
    end = time.monotonic() + seconds
    last = 0
    while time.monotonic() < end:
        now = db.fetch_one(Sighting, CURRENT_VERSION_NOW.literal(season_id=season.id))
        if now is not None and now.number != last:
            last = now.number
            yield now
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _delays(season: Season, sightings: list[Sighting]) -> Iterator[np.ndarray]:
    numbers = np.array([sighting.number for sighting in sightings])
    accepted = db.fetch_all(
        Accepted, ACCEPTED_SINCE.literal(namespace=season.namespace), epoch=sightings[0].number
    )
    for batch in accepted:
        place = np.searchsorted(numbers, batch.visible_in_version)
        if place < len(numbers):
            waited = (sightings[place].seen_at - batch.accepted_at).total_seconds()
            yield np.full(batch.events, waited)
