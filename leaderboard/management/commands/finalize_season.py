"""`manage.py finalize_season SLUG`: make a season final whose grace time is over."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import Refusal
from leaderboard.operations.finalize_season import finalize_season


class Command(BaseCommand):
    """Makes a season final."""

    help = (
        "Publish a candidate, compare it with the ledger, and freeze it. The worker does this by "
        "itself when the grace time is over; by hand it is tried again after a disagreement."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, and what is written into its record."""
        parser.add_argument("slug")
        parser.add_argument("--actor", default="operator", help="who does it (operator)")
        parser.add_argument("--reason", default="by command", help="why (by command)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it final, or say why not."""
        slug, actor, reason = (options[name] for name in ("slug", "actor", "reason"))
        try:
            done = finalize_season(slug, actor=actor, reason=reason)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        if done.outcome != "final":
            raise CommandError(f"{done.outcome}: {done.detail}")
        self.stdout.write(f"Season {slug} is final: version {done.version}.")
