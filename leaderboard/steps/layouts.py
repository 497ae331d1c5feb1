"""Layouts: which boundaries the boards of a version have."""

from config import db
from leaderboard.models import Layout
from leaderboard.queries.publication import PublicationState
from leaderboard.rules import BucketLayout, first_boundaries, is_counted, layout_for
from leaderboard.steps.ordered_board import write_boundaries
from seasons.models import Season

NO_COUNTED_BOARD = BucketLayout(0, 0, 0)


def first_layout(season: Season) -> Layout:
    """Make the layout that a season begins with: its global board counted if it can be."""
    db.require_transaction()
    counted = is_counted(season.score_min, season.score_max, season.tie_rule)
    layout = layout_for(season.score_min, season.score_max) if counted else NO_COUNTED_BOARD
    boundaries = first_boundaries(season.score_min, season.score_max)
    ordered = len(season.regions) + (0 if counted else 1)
    sets = [0] * counted + [write_boundaries(boundaries) for _ in range(ordered)]
    return Layout.objects.create(season_id=season.id, **layout._asdict(), boundary_sets=sets)


def layout_with(state: PublicationState, boundary_sets: list[int]) -> int:
    """Return the layout with these boundaries: that in use, or a new one like it."""
    if state.boundary_sets == boundary_sets:
        return state.layout_id
    db.require_transaction()
    layout = Layout.objects.get(id=state.layout_id)
    layout.pk = None
    layout.boundary_sets = boundary_sets
    layout.save(force_insert=True)
    return layout.id
