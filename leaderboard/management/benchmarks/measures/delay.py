"""How long from the acceptance of a result until a version that shows it can be seen."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

import numpy as np

from config import db
from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure, at_most
from leaderboard.management.benchmarks.measures.serving import CONNECTIONS, rank_question
from leaderboard.management.benchmarks.web_server import web_server
from leaderboard.management.benchmarks.wrk import Asked, Pace, ask, is_installed
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


def delay(bench: Bench, seconds: int) -> Iterator[Figure]:
    """Watch the versions of the season under load, and hold them against its ledger."""
    season = bench.largest
    reads = bench.options.reads if is_installed() else 0
    with _readers(bench, reads, seconds) as asked:
        sightings = list(_sightings(season, seconds))
    delays = np.concatenate(list(_delays(season, sightings)) or [np.empty(0)])
    if not len(delays):
        raise CannotMeasure(
            "No result was accepted and published while the versions were watched."
        )
    where = f"at {bench.options.rate:,} results/s and {reads:,} rank reads/s"
    for share, goal in ((50, None), (99, LONGEST)):
        longest = float(np.percentile(delays, share))
        yield Figure(f"accepted -> visible p{share}, {where}", "s", [longest], goal)
    for found in asked:
        yield Figure(f"HTTP ranks meanwhile, {where}", "1/s", [found.rate])
        yield Figure(f"HTTP rank meanwhile, p99, {where}", "ms", [found.p99])


@contextmanager
def _readers(bench: Bench, rate: int, seconds: int) -> Iterator[list[Asked]]:
    """Ask for ranks over HTTP during the block; after it, what was asked is in the list."""
    asked: list[Asked] = []
    if not rate:
        yield asked
        return
    pace = Pace(CONNECTIONS, seconds, round(1000 * CONNECTIONS / rate))
    question = rank_question(bench)
    with web_server() as (port, _), ThreadPoolExecutor(1) as pool:
        reading = pool.submit(ask, port, question, pace)
        yield asked
        asked.append(reading.result())


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
