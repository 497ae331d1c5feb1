"""Parts of a writer's transaction."""

from scores.steps.accepting import (
    Entry,
    accept,
    receipts_of,
    require_few,
    require_valid,
    unseen,
)
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
    write_scores_of,
)

__all__ = [
    "NO_CHANGE",
    "Change",
    "Decision",
    "Entry",
    "RunAgain",
    "Shown",
    "accept",
    "boards_of_newcomers",
    "create_namespace",
    "decide",
    "move_bests",
    "purge_tallies",
    "purge_undo",
    "receipts_of",
    "record_changes",
    "record_decision",
    "require_bests",
    "require_few",
    "require_started",
    "require_valid",
    "unseen",
    "until_it_holds",
    "write_scores",
    "write_scores_of",
]
