"""`manage.py create_token NAME --scope SCOPE [--scope …] [--expires-at TIME]`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.errors import ValidationFailed
from config.http.times import read_time
from scores.operations.create_token import SCOPES, create_token


class Command(BaseCommand):
    """Make a service token and print it, alone and once."""

    help = "Make a service token and print it; it cannot be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the name, the scopes and the end."""
        parser.add_argument("name", help="Who will use it; names are unique.")
        parser.add_argument(
            "--scope", action="append", required=True, choices=SCOPES, dest="scopes"
        )
        parser.add_argument(
            "--expires-at", help="A time with an offset, as in 2027-01-01T00:00:00Z."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the token."""
        try:
            end = options["expires_at"]
            token = create_token(
                options["name"], options["scopes"], None if end is None else read_time(end)
            )
        except ValidationFailed as refusal:
            raise CommandError(" ".join(fault.detail for fault in refusal.faults)) from None
        except ValueError as exc:
            raise CommandError(f"--expires-at: {exc}") from None
        self.stdout.write(token)
