"""The rules of seasons and series that need no database."""

from seasons.rules.calendar import FOR_EVER, Calendar, Kind, Span
from seasons.rules.clocks import offset_text
from seasons.rules.season import (
    FENCE_WAITS_MS,
    LARGEST_SCORE,
    SLUG,
    ScoreRange,
    SeasonRules,
    Status,
    Timeliness,
    due_transitions,
    faults,
    faults_by_member,
    status,
    timeliness,
)
from seasons.rules.series import (
    PlannedWindow,
    SeriesRules,
    WindowWanted,
    due_spans,
    season_slugs,
    series_faults,
    stem_of,
)

__all__ = [
    "FENCE_WAITS_MS",
    "FOR_EVER",
    "LARGEST_SCORE",
    "SLUG",
    "Calendar",
    "Kind",
    "PlannedWindow",
    "ScoreRange",
    "SeasonRules",
    "SeriesRules",
    "Span",
    "Status",
    "Timeliness",
    "WindowWanted",
    "due_spans",
    "due_transitions",
    "faults",
    "faults_by_member",
    "offset_text",
    "season_slugs",
    "series_faults",
    "status",
    "stem_of",
    "timeliness",
]
