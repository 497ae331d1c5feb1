"""Open a season before its time."""

from seasons.steps import begin_now


def open_season(slug: str, *, actor: str, reason: str) -> None:
    """
    Let a scheduled season start now.

    Who did it and why is recorded. Raises SeasonNotFound, WrongState for a season that
    has begun already, and Unavailable while writers are in the way.
    """
    begin_now(slug, "starts_at", needs="scheduled", begins="open", actor=actor, reason=reason)
