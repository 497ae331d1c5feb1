"""`manage.py create_season SLUG`: make a season with its rules."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import SeasonExists, ValidationFailed
from config.http.times import show_time
from leaderboard.management.rule_options import add_rule_options, instant, rules_given
from leaderboard.operations import create_season
from seasons.models import Season
from seasons.rules import SeasonRules

DAYS_OPEN = 90


class Command(BaseCommand):
    """Makes a season."""

    help = "Make a season: its rules, its partitions, and its empty first version."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id and, by options, its rules."""
        parser.add_argument("slug", help="lower-case letters, digits and hyphens")
        parser.add_argument("--name", help="shown to players; the slug unless given")
        parser.add_argument("--starts-at", type=instant, help="RFC 3339; now unless given")
        parser.add_argument("--cutoff-at", type=instant, help="RFC 3339; in 90 days unless given")
        add_rule_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the season and say so, or say each thing that is wrong with it."""
        starts_at = options["starts_at"] or datetime.now(UTC)
        rules = SeasonRules(
            slug=options["slug"],
            name=options["name"] or options["slug"],
            starts_at=starts_at,
            cutoff_at=options["cutoff_at"] or starts_at + timedelta(days=DAYS_OPEN),
            **rules_given(options),
        )
        try:
            season = create_season(rules)
        except ValidationFailed as refusal:
            raise CommandError(" ".join(fault.detail for fault in refusal.faults)) from refusal
        except SeasonExists as refusal:
            raise CommandError(refusal.detail) from refusal
        times = f"{show_time(season.starts_at)} to {show_time(season.cutoff_at)}"
        self.stdout.write(f"Season {season.slug}: {times}, scores {_scores(season)}.")


def _scores(season: Season) -> str:
    return f"{season.score_min} to {season.score_max}"
