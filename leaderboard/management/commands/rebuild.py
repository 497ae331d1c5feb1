"""`manage.py rebuild SLUG`: make a season's bests and boards anew, and put them in place."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import Refusal
from config.lately import PLAYERS
from leaderboard.management.bars import Bars
from leaderboard.models import Rebuild
from leaderboard.operations.rebuild import (
    CannotRebuild,
    abandon_rebuild,
    drop_replaced,
    rebuild_season,
)
from leaderboard.steps.check_failed import CheckFailed
from seasons.queries import season_id_of

INTERRUPTED = 130


class Command(BaseCommand):
    """Rebuilds a season, or drops what a rebuild left."""

    help = (
        "Make the bests and boards of a season anew beside those in use: fold the ledger (or "
        "copy the bests), catch up with what is written meanwhile, compare with the boards in "
        "use and with the ledger, ask both 10,000 questions, and swap if everything agrees. "
        "It can be stopped or killed at any point and run again: it goes on where it stopped. "
        "What was replaced is kept until --drop-old."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, from what to rebuild, and what to do with what is left over."""
        parser.add_argument("slug")
        parser.add_argument("--from", dest="source", default="ledger", choices=["ledger", "bests"])
        parser.add_argument(
            "--old-is-wrong",
            action="store_true",
            help="the boards in use are known to be wrong: compare with the ledger only",
        )
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--drop-old", action="store_true", help="drop what was replaced")
        what.add_argument(
            "--abandon", action="store_true", help="drop what an unfinished rebuild made"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and say what was done, or in a sentence why not."""
        bars = Bars()
        try:
            self.stdout.write(_done(options, bars))
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        except CheckFailed as failure:
            raise CommandError(f"A check failed, the old boards stay: {failure}") from failure
        except CannotRebuild as reason:
            raise CommandError(str(reason)) from reason
        except KeyboardInterrupt:
            said = "Stopped; run it again to go on."
            raise CommandError(said, returncode=INTERRUPTED) from None
        finally:
            bars.close()


def _done(options: dict[str, Any], bars: Bars) -> str:
    slug = options["slug"]
    if options["drop_old"]:
        dropped = drop_replaced(slug, tell=bars.tell)
        return f"Dropped {', '.join(map(str, dropped)) or 'nothing'}."
    if options["abandon"]:
        return f"Abandoned {abandon_rebuild(slug, tell=bars.tell)}."
    rebuild = rebuild_season(
        slug,
        options["source"],
        asked_lately=PLAYERS.asked(season_id_of(slug)),
        old_is_wrong=options["old_is_wrong"],
        tell=bars.tell,
    )
    return _said(rebuild)


def _said(rebuild: Rebuild) -> str:
    compared, shadowed = rebuild.report["compared"], rebuild.report["shadowed"]
    return (
        f"Namespace {rebuild.namespace} is in use in place of {rebuild.replaces}.\n"
        f"Version {compared['version']}, players {compared['players']}: the ledger agrees; "
        f"the boards in use: {compared['boards_in_use']}.\n{_asked(shadowed)}"
    )


def _asked(shadowed: dict[str, Any]) -> str:
    if "skipped" in shadowed:
        return f"Questions to both: {shadowed['skipped']}."
    return (
        f"{shadowed['questions']} questions to both, about {shadowed['players']} players, "
        f"{shadowed['asked_lately']} of whom were asked for lately; differences in score "
        f"{shadowed['score']}, in rank {shadowed['rank']}, in window {shadowed['window']}."
    )
