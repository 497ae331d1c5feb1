"""Where the time of a publication goes, and what grows when many more changes come at once."""

import time
from collections.abc import Iterator, Mapping
from functools import partial

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.events import Improvements, apply_changes
from leaderboard.management.benchmarks.figures import Figure, ratios
from leaderboard.operations import publish_version, purge_versions
from seasons.models import Season
from seasons.operations import seal_epoch

MANY_MORE = 5
SEAL = "seal"
WHOLE = "whole"

Phases = Mapping[str, float]


def phases(bench: Bench) -> Iterator[Figure]:
    """Publish a number of changes of the largest season, and five times as many, in turn."""
    players, season = max(bench.seasons), bench.largest
    fewer = min(bench.options.changes, players // MANY_MORE)
    source = Improvements(bench.connection, season.namespace, seed=2)
    ways = {
        f"{changes:,} changes, {players:,} players": partial(_published, season, source, changes)
        for changes in (fewer, fewer * MANY_MORE)
    }
    measured = bench.in_turn("publish", ways)
    of_fewer, of_more = (_figures(how, runs) for how, runs in measured.items())
    yield from of_fewer.values()
    yield from of_more.values()
    for phase, figure in of_more.items():
        yield ratios(f"{phase}, {MANY_MORE} times as many changes", figure, of_fewer[phase])


def _figures(how: str, runs: list[Phases]) -> dict[str, Figure]:
    return {
        phase: Figure(f"{phase}, {how}", "ms", [run[phase] * 1e3 for run in runs])
        for phase in runs[0]
    }


def _published(season: Season, source: Improvements, changes: int) -> Phases:
    apply_changes(season.slug, source, changes)
    began = time.perf_counter()
    seal_epoch(season.id)
    sealed = time.perf_counter() - began
    publication = publish_version(season.id)
    if publication.changes != changes:
        raise CannotMeasure(f"{publication.changes} changes were published, not {changes}.")
    purge_versions(season.id)
    whole = sum(publication.seconds.values())
    return {SEAL: sealed, **publication.seconds, WHOLE: whole}
