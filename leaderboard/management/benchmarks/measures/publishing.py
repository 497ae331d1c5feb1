"""How long a publication takes: the same number of changes in seasons of different size."""

import time
from functools import partial

from leaderboard.management.benchmarks.bench import Bench
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.events import Improvements, apply_changes
from leaderboard.management.benchmarks.figures import Figure, at_most, ratios
from leaderboard.operations import publish_version, purge_versions, seal_and_publish
from seasons.models import Season
from seasons.operations import seal_epoch

GOAL_CHANGES = 20_000
LONGEST, MOST_GROWTH = at_most(0.25), at_most(1.2)


def publishing(bench: Bench) -> list[Figure]:
    """Change the same players of every season, seal, and time the publication alone."""
    fewest, changes = min(bench.seasons), bench.options.changes
    ways = {}
    for players, season in bench.seasons.items():
        # Other players may have changed before: the first ones of each season are the same.
        source = Improvements(bench.connection, season.namespace, first=fewest, seed=1)
        ways[f"{players:,} players"] = partial(seconds_of_publication, season, source, changes)
    for season in bench.seasons.values():
        seal_and_publish(season.id)
    measured = bench.in_turn(f"publish {changes:,} changes", ways)
    goal = LONGEST if changes == GOAL_CHANGES else None
    figures = [
        Figure(f"publish {changes:,} changes, {size}", "s", seconds, goal)
        for size, seconds in measured.items()
    ]
    if len(figures) > 1:
        growth = f"publish {changes:,} changes, largest / smallest season"
        figures.append(ratios(growth, figures[-1], figures[0], MOST_GROWTH))
    return figures


def seconds_of_publication(season: Season, source: Improvements, changes: int) -> float:
    """Apply so many changes and seal them; return how long their publication took."""
    apply_changes(season.slug, source, changes)
    seal_epoch(season.id)
    began = time.perf_counter()
    publication = publish_version(season.id)
    seconds = time.perf_counter() - began
    if publication.changes != changes:
        raise CannotMeasure(f"{publication.changes} changes were published, not {changes}.")
    purge_versions(season.id)
    return seconds
