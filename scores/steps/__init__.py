"""Parts of a writer's transaction."""

from scores.steps.decisions import Decision, decide, record_decision
from scores.steps.regions import boards_of_newcomers, move_bests
from scores.steps.writing import (
    NO_CHANGE,
    Change,
    RunAgain,
    Shown,
    create_namespace,
    purge_tallies,
    purge_undo,
    record_changes,
    require_bests,
    require_started,
    until_it_holds,
    write_scores,
)

__all__ = [
    "NO_CHANGE",
    "Change",
    "Decision",
    "RunAgain",
    "Shown",
    "boards_of_newcomers",
    "create_namespace",
    "decide",
    "move_bests",
    "purge_tallies",
    "purge_undo",
    "record_changes",
    "record_decision",
    "require_bests",
    "require_started",
    "until_it_holds",
    "write_scores",
]
