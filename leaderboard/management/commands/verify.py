"""`manage.py verify SLUG`: prove that a version follows from the ledger."""

import sys
import time
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError, CommandParser

from config.errors import NoPublishedVersion, Refusal, SeasonNotFound, VersionExpired
from leaderboard.management.version_option import VersionCommand
from leaderboard.models import Verification
from leaderboard.operations.verify_season import SAMPLE, WHOLE, verify_season

REFUSED = {
    SeasonNotFound: "There is no season {slug}.",
    NoPublishedVersion: "The season {slug} has no published version.",
    VersionExpired: "Version {version} of {slug} can no longer be read.",
}


class Command(VersionCommand):
    """Verifies a season."""

    help = (
        "Recompute a version of a season from its ledger and compare everything that is stored "
        "of it. Writes go on meanwhile. The exit status is 1 if anything differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, and which version."""
        parser.add_argument("slug")
        parser.add_argument(
            "--version",
            type=int,
            metavar="N",
            help="a version that can still be read; the current one unless given",
        )
        parser.add_argument(
            "--sample", action="store_true", help="look at some players only, within a second"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify, tell each phase and the report, and fail if something differs."""
        slug, number = options["slug"], options["version"]
        began = time.monotonic()
        try:
            verification = verify_season(
                slug,
                version=number,
                scope=SAMPLE if options["sample"] else WHOLE,
                say=self._say,
            )
        except Refusal as refusal:
            sentence = REFUSED.get(type(refusal), refusal.detail)
            raise CommandError(sentence.format(slug=slug, version=number)) from refusal
        for line in report_lines(verification):
            self._say(line)
        self._say(f"{time.monotonic() - began:.1f} s in all.")
        if not verification.agrees:
            self.stderr.write("It is NOT what the ledger says.")
            sys.exit(1)
        self._say("Everything is what the ledger says.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def report_lines(verification: Verification) -> Iterator[str]:
    """Return the lines of the report: what was compared, and what differs first."""
    report = verification.report
    yield f"Version {verification.version}, namespace {verification.namespace}:"
    for name, value in report["totals"].items():
        yield f"  {name.replace('_', ' ')}: {value}"
    yield f"  {'':<20}{'compared':>14}{'different':>12}"
    for check in report["checks"]:
        yield f"  {check['kind']:<20}{check['compared']:>14,}{check['differing']:>12,}"
        for one in check["first"]:
            yield f"    {one['place']}: expected {one['expected']}; found {one['found']}"
