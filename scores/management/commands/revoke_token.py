"""`manage.py revoke_token NAME`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scores.operations.revoke_token import revoke_token


class Command(BaseCommand):
    """Refuse a service token from now on."""

    help = "Refuse a service token from the next request on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the token's name."""
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Revoke the token."""
        if not revoke_token(options["name"]):
            raise CommandError(f"There is no token named {options['name']}.")
        self.stdout.write(f"The token {options['name']} is revoked.")
