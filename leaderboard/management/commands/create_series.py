"""`manage.py create_series SLUG`: make a series, whose seasons then make themselves."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import SeriesExists, ValidationFailed
from config.http.times import show_time
from leaderboard.management.rule_options import add_rule_options, instant, rules_given
from leaderboard.operations.create_series import create_series
from seasons.models import Season
from seasons.rules import Kind, SeriesRules, WindowWanted

CALENDAR: tuple[Kind, ...] = ("daily", "weekly", "monthly", "all_time")
UNTIL_THE_NEXT = "next"


class Command(BaseCommand):
    """Makes a series."""

    help = (
        "Make a series: windows in a time zone, and the rules of the season that each of them "
        "gets. The present window and the next one are made at once, the others in time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the series' id, its windows and, by options, the rules of its seasons."""
        parser.add_argument("slug", help="lower-case letters, digits and hyphens")
        parser.add_argument("--name", help="shown to players; the slug unless given")
        parser.add_argument("--time-zone", default="UTC", help="such as Europe/Berlin (UTC)")
        for kind in CALENDAR:
            parser.add_argument(f"--{_suffix(kind)}", action="store_true", dest=kind)
        parser.add_argument(
            "--cron",
            action="append",
            default=[],
            nargs=3,
            metavar=("SUFFIX", "EXPRESSION", "SECONDS"),
            help=f"windows by cron, for so long or until the '{UNTIL_THE_NEXT}' one begins",
        )
        parser.add_argument(
            "--starts-at", type=instant, help="RFC 3339; the first windows are cut to begin then"
        )
        parser.add_argument(
            "--kept-days", type=int, help="how long a final season is kept; for ever unless given"
        )
        add_rule_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the series and name its seasons, or say each thing that is wrong with it."""
        wanted = SeriesRules(
            slug=options["slug"],
            name=options["name"] or options["slug"],
            time_zone=options["time_zone"],
            windows=tuple(_windows(options)),
            starts_at=options["starts_at"],
            kept_days=options["kept_days"],
            **rules_given(options),
        )
        try:
            series = create_series(wanted)
        except ValidationFailed as refusal:
            raise CommandError(" ".join(fault.detail for fault in refusal.faults)) from refusal
        except SeriesExists as refusal:
            raise CommandError(refusal.detail) from refusal
        for season in Season.objects.filter(window__rule__series=series).order_by("id"):
            times = f"{show_time(season.starts_at)} to {show_time(season.cutoff_at)}"
            self.stdout.write(f"Season {season.slug}: {times}.")


def _windows(options: dict[str, Any]) -> list[WindowWanted]:
    wanted = [WindowWanted(_suffix(kind), kind) for kind in CALENDAR if options[kind]]
    return wanted + [
        WindowWanted(suffix, "cron", cron, _seconds(lasts))
        for suffix, cron, lasts in options["cron"]
    ]


def _suffix(kind: Kind) -> str:
    return kind.replace("_", "-")


def _seconds(text: str) -> int | None:
    if text == UNTIL_THE_NEXT:
        return None
    try:
        return int(text)
    except ValueError:
        raise CommandError(f"{text!r} is neither seconds nor '{UNTIL_THE_NEXT}'.") from None
