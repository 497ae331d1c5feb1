"""`manage.py publish SLUG`: seal and publish now, also after a failed check."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import SeasonNotFound
from leaderboard.operations import seal_and_publish
from leaderboard.steps.check_failed import CheckFailed
from seasons.queries import season_id_of


class Command(BaseCommand):
    """Publishes a season by hand."""

    help = (
        "Seal the open epoch of a season and publish it. If a check had stopped the season's "
        "publication it is tried again; when all checks pass, publication goes on by itself."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id."""
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Publish and say what happened."""
        try:
            done = seal_and_publish(season_id_of(options["slug"]), despite_stop=True)
        except SeasonNotFound as refusal:
            raise CommandError(refusal.detail) from refusal
        except CheckFailed as failure:
            raise CommandError(f"A check failed, the old version stays: {failure}") from failure
        self.stdout.write(f"{done.outcome}: version {done.version}, {done.changes} changes")
