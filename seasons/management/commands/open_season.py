"""`manage.py open_season SLUG`: opens a scheduled season now."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import Refusal
from seasons.operations import open_season


class Command(BaseCommand):
    """Opens a scheduled season now."""

    help = "Start a scheduled season now instead of at its stored time."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, and what is written into its record."""
        parser.add_argument("slug")
        parser.add_argument("--actor", default="operator", help="who does it (operator)")
        parser.add_argument("--reason", default="by command", help="why (by command)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Change the season's state and say so."""
        try:
            open_season(options["slug"], actor=options["actor"], reason=options["reason"])
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        self.stdout.write(f"Season {options['slug']} is open.")
