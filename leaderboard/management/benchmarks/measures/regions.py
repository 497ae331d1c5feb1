"""What regions cost: applied results, publications and their log, beside a season without."""

import time
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.connecting import Connection, log_position
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.events import Improvements
from leaderboard.management.benchmarks.figures import Figure, at_most, ratios
from leaderboard.management.benchmarks.kinds import REGIONS
from leaderboard.management.benchmarks.loading import season_of_kind
from leaderboard.management.benchmarks.players import ids_of
from leaderboard.management.benchmarks.posting import EVENTS_A_BATCH
from leaderboard.operations import publish_version, purge_versions, seal_and_publish
from scores.operations import apply_events
from scores.operations.set_profiles import set_profiles
from scores.rules import Profile
from seasons.models import Season
from seasons.operations import seal_epoch

# So many changes settle each bucket of a season once or more: from then on a publication writes
# what any later one does.
SETTLING_CHANGES = 50_000
MOST_A_RESULT, MOST_A_PUBLICATION = at_most(1.3), at_most(3.0)
MOVED = 100_000
WAL_A_CHANGE, WAL_BESIDES = 200, 400_000


class Cost(NamedTuple):
    """What it took to apply some changes and to publish them."""

    applying: float
    publishing: float
    wal_bytes: float


def regions(bench: Bench) -> list[Figure]:
    """Apply and publish the same changes with and without regions, in turn."""
    with_regions = season_of_kind("regions", min(bench.seasons))
    seasons = {"without regions": bench.smallest, f"with {len(REGIONS)} regions": with_regions}
    ways = {}
    for name, season in seasons.items():
        source = Improvements(bench.connection, season.namespace, seed=1)
        seal_and_publish(season.id)
        ways[name] = partial(_cost, bench.connection, season, source, bench.options.changes)
        for _ in tqdm(
            range(-(-SETTLING_CHANGES // bench.options.changes)), desc="settle", leave=False
        ):
            ways[name]()
    measured = bench.in_turn(f"apply and publish {bench.options.changes:,} changes", ways)
    return [*_figures(bench, measured), *_moving(bench, with_regions)]


def _moving(bench: Bench, season: Season) -> list[Figure]:
    """Move players to other regions in batches of profiles, and publish every second."""
    version = int(time.time())
    players = min(MOVED, *bench.seasons)
    ids = ids_of(np.arange(players)).astype("U").tolist()
    turned = [REGIONS[(number + version) % len(REGIONS)] for number in range(players)]
    profiles = [Profile(*one, version) for one in zip(ids, turned, strict=True)]
    seal_and_publish(season.id)
    publications, began = [0.0], time.perf_counter()
    due = began + 1
    for start in tqdm(range(0, players, EVENTS_A_BATCH), desc="move players", leave=False):
        set_profiles(profiles[start : start + EVENTS_A_BATCH])
        if time.perf_counter() >= due:
            before = time.perf_counter()
            seal_and_publish(season.id)
            publications.append(time.perf_counter() - before)
            due = before + 1
    seconds = time.perf_counter() - began - sum(publications)
    what = f"{players:,} players move"
    return [
        Figure(f"move a player, {what}", "µs", [seconds / players * 1e6]),
        Figure(f"longest publication while {what}", "s", [max(publications)], at_most(1.0)),
    ]


def _cost(connection: Connection, season: Season, source: Improvements, changes: int) -> Cost:
    sizes = [min(EVENTS_A_BATCH, changes - made) for made in range(0, changes, EVENTS_A_BATCH)]
    batches = [source.batch(size) for size in sizes]
    began = time.perf_counter()
    for batch in batches:
        apply_events(season.slug, batch)
    applying = time.perf_counter() - began
    seal_epoch(season.id)
    before, began = log_position(connection), time.perf_counter()
    publication = publish_version(season.id)
    publishing = time.perf_counter() - began
    if publication.changes != changes:
        raise CannotMeasure(f"{publication.changes} changes were published.")
    cost = Cost(applying, publishing, log_position(connection) - before)
    purge_versions(season.id)
    return cost


def _figures(bench: Bench, measured: Mapping[str, list[Cost]]) -> list[Figure]:
    changes = bench.options.changes
    where = f"{min(bench.seasons):,} players"
    most = at_most(WAL_A_CHANGE * changes + WAL_BESIDES)
    applying, publishing, log = [], [], []
    for name, costs in measured.items():
        a_result = [cost.applying / changes * 1e6 for cost in costs]
        applying.append(Figure(f"apply a result {name}, {where}", "µs", a_result))
        seconds = [cost.publishing for cost in costs]
        publishing.append(Figure(f"publish {changes:,} changes {name}, {where}", "s", seconds))
        written = [cost.wal_bytes for cost in costs]
        log.append(Figure(f"WAL of a publication {name}, {where}", "bytes", written, most))
    return [
        *applying,
        ratios("apply a result, with / without", applying[1], applying[0], MOST_A_RESULT),
        *publishing,
        ratios("publish, with / without", publishing[1], publishing[0], MOST_A_PUBLICATION),
        *log,
    ]
