"""Let a season's cutoff be now."""

from seasons.steps import begin_now


def close_season(slug: str, *, actor: str, reason: str) -> None:
    """
    Let an open season's cutoff be now: what is completed later is late.

    Who did it and why is recorded. Raises SeasonNotFound, WrongState for a season that
    is not open, and Unavailable while writers are in the way.
    """
    begin_now(slug, "cutoff_at", needs="open", begins="closing", actor=actor, reason=reason)
