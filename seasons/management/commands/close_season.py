"""`manage.py close_season SLUG`: end an open season now."""

from seasons.management.transition import TransitionCommand
from seasons.operations import close_season


class Command(TransitionCommand):
    """Ends an open season now."""

    help = (
        "Let an open season's cutoff be now: results completed later are late, and when the "
        "grace time is over the season becomes final by itself."
    )

    def change(self, slug: str, *, actor: str, reason: str) -> str:
        """Close it."""
        close_season(slug, actor=actor, reason=reason)
        return "closing"
