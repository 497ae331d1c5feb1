"""`manage.py finalize_season SLUG`: make a season final whose grace time is over."""

from django.core.management.base import CommandError

from leaderboard.operations.finalize_season import finalize_season
from seasons.management.transition import TransitionCommand


class Command(TransitionCommand):
    """Makes a season final."""

    help = (
        "Publish a candidate, compare it with the ledger, and freeze it. The worker does this by "
        "itself when the grace time is over; by hand it is tried again after a disagreement."
    )

    def change(self, slug: str, *, actor: str, reason: str) -> str:
        """Make it final, or say why not."""
        done = finalize_season(slug, actor=actor, reason=reason)
        if done.outcome != "final":
            raise CommandError(f"{done.outcome}: {done.detail}")
        return f"final: version {done.version}"
