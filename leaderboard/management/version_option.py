"""Commands whose `--version` is a board's."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser


class VersionCommand(BaseCommand):
    """Lets `--version` name a version of the season; Django's own prints its release."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return a parser in which an option may be defined anew."""
        resolving = {**kwargs, "conflict_handler": "resolve"}
        return super().create_parser(prog_name, subcommand, **resolving)
