"""`manage.py bootstrap`: what an empty database needs before a newcomer can play."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from leaderboard.operations import create_season
from scores.models import ServiceToken
from scores.operations.create_token import SCOPES, create_token
from seasons.models import Season
from seasons.rules import SeasonRules

DEMO = "demo"
TOKEN_NAME = "match-service"  # noqa: S105


class Command(BaseCommand):
    """Makes the season `demo` and a match service's token, once."""

    help = "On an empty database, make the open season demo and a token with every scope."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file that the token goes into."""
        parser.add_argument("--token-file", type=Path, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing; a database that has seasons is left as it is."""
        if not Season.objects.exists():
            now = datetime.now(UTC)
            create_season(SeasonRules(DEMO, "Demo season", now, now + timedelta(days=90)))
            self.stdout.write("Made the season demo.")
        if not ServiceToken.objects.exists():
            _write_secret(options["token_file"], create_token(TOKEN_NAME, list(SCOPES)))
            self.stdout.write(f"Wrote a match-service token to {options['token_file']}.")


def _write_secret(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text + "\n")
