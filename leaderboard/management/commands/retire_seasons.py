"""`manage.py retire_seasons`: drop the seasons that were kept long enough, now."""

from typing import Any

from django.core.management.base import BaseCommand

from config.errors import Refusal
from leaderboard.operations.retire_season import drop_retired, retire_season
from leaderboard.queries.retirements import seasons_to_retire
from seasons.queries import slug_of


class Command(BaseCommand):
    """Retires seasons."""

    help = (
        "Drop the tables of the final seasons that were kept as long as the rule of their series "
        "says. The worker does this every minute; a run that was broken off is gone on with."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and name each season."""
        for season_id in seasons_to_retire():
            try:
                retire_season(season_id)
            except Refusal as refusal:
                self.stderr.write(f"Season {slug_of(season_id)} stays: {refusal.detail}")
        while (slug := drop_retired()) is not None:
            self.stdout.write(f"Season {slug} is dropped.")
