"""`manage.py open_season SLUG`: open a scheduled season now."""

from seasons.management.transition import TransitionCommand
from seasons.operations import open_season


class Command(TransitionCommand):
    """Opens a scheduled season now."""

    help = "Start a scheduled season now instead of at its stored time."

    def change(self, slug: str, *, actor: str, reason: str) -> str:
        """Open it."""
        open_season(slug, actor=actor, reason=reason)
        return "open"
