"""Which seasons have reached a state that is not recorded yet."""

from config import db

DUE_TRANSITIONS = db.statement(__file__, "due_transitions")


def seasons_with_due_transitions() -> list[int]:
    """Return the ids of the seasons whose start or cutoff has passed unrecorded."""
    return db.fetch_all(int, DUE_TRANSITIONS)
