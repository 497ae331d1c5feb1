"""What the commands that change a season's state by hand have in common."""

from abc import abstractmethod
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import Refusal


class TransitionCommand(BaseCommand):
    """Takes a season, who changes it and why, and says what it has become."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, and what is written into its record."""
        parser.add_argument("slug")
        parser.add_argument("--actor", default="operator", help="who does it (operator)")
        parser.add_argument("--reason", default="by command", help="why (by command)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Change the season's state and say so, or why not."""
        try:
            now = self.change(options["slug"], actor=options["actor"], reason=options["reason"])
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        self.stdout.write(f"Season {options['slug']} is {now}.")

    @abstractmethod
    def change(self, slug: str, *, actor: str, reason: str) -> str:
        """Change it, and return what it is now."""
