"""The rules of seasons and series that need no database."""

from seasons.rules.season import (
    FENCE_WAITS_MS,
    LARGEST_SCORE,
    MOST_SCORES,
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

__all__ = [
    "FENCE_WAITS_MS",
    "LARGEST_SCORE",
    "MOST_SCORES",
    "SLUG",
    "ScoreRange",
    "SeasonRules",
    "Status",
    "Timeliness",
    "due_transitions",
    "faults",
    "faults_by_member",
    "status",
    "timeliness",
]
