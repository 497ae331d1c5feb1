"""`manage.py flush` is refused: what was accepted stays."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    """Stands in the place of Django's command, which would leave half a database."""

    help = "Refused: the ledger cannot be emptied. Make a new database instead."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what Django's command takes, so that the reason is told and not the usage."""
        parser.add_argument("--noinput", "--no-input", action="store_true")
        parser.add_argument("--database")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say why not."""
        raise CommandError("The ledger cannot be emptied; make a new database instead.")
