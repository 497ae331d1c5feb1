"""`manage.py end_series SLUG`: let no window of a series begin any more."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import Refusal
from config.http.times import show_time
from leaderboard.operations.end_series import end_series


class Command(BaseCommand):
    """Ends a series."""

    help = (
        "End a series: what is open runs to its cutoff, a season for all time closes now, and "
        "those that were made ahead are dropped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the series' id, and what is written into the records of its seasons."""
        parser.add_argument("slug")
        parser.add_argument("--actor", default="operator", help="who does it (operator)")
        parser.add_argument("--reason", default="by command", help="why (by command)")

    def handle(self, *args: Any, **options: Any) -> None:
        """End it and say since when, or say why not."""
        try:
            series = end_series(options["slug"], actor=options["actor"], reason=options["reason"])
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        assert series.ended_at is not None
        self.stdout.write(f"Series {series.slug} has ended at {show_time(series.ended_at)}.")
