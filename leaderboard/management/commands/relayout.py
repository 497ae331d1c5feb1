"""`manage.py relayout SLUG`: look at how a board is laid out, or give it other buckets."""

from argparse import ArgumentTypeError
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import Refusal
from leaderboard.management.bars import Bars
from leaderboard.management.layout_report import bucket_lines, layout_lines, relaid_lines
from leaderboard.management.layout_times import measured
from leaderboard.management.rule_options import instant
from leaderboard.operations.relayout import (
    CannotRelayout,
    begun_at,
    evened_out,
    relayout_board,
    with_bucket_cut,
)
from leaderboard.operations.relayout.wishes import Wish
from leaderboard.queries import Published, published
from leaderboard.queries.board_layout import board_layout
from leaderboard.rules import LOWEST_TIE_KEY, Key
from leaderboard.steps.check_failed import CheckFailed
from scores.rules import tie_key_of

INTERRUPTED = 130


class Begin(NamedTuple):
    """Where a bucket is to begin: at the first player with a score, or with a score at a time."""

    score: int
    at: datetime | None


class Command(BaseCommand):
    """Shows the layout of a board, or gives the board another one."""

    help = (
        "Show how a board is laid out: its buckets, and what the fullest of them cost. With an "
        "action, give an ordered board (that of a region, of the tie rule earliest, or of a wide "
        "range of scores) other buckets: they are found beside those in use, compared with them, "
        "and published with the next version. Versions published before keep theirs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, which of its boards, and what to do with its buckets."""
        parser.add_argument("slug")
        parser.add_argument("--region", metavar="CODE", help="the global board unless given")
        parser.add_argument("--fullest", type=int, default=10, metavar="N", help="buckets shown")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--split", type=int, metavar="BUCKET", help="cut a bucket in four")
        what.add_argument(
            "--boundaries",
            type=begin,
            nargs="+",
            metavar="SCORE[@TIME]",
            help="begin buckets at these scores, each the best of its bucket",
        )
        what.add_argument(
            "--auto",
            action="store_true",
            help="even all buckets out, if that is worth it; else the exit status is 1",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and say what was done, or in a sentence why not."""
        bars = Bars()
        try:
            self._handle(options, bars)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        except CheckFailed as failure:
            raise CommandError(f"It disagrees, the old buckets stay: {failure}") from failure
        except CannotRelayout as reason:
            raise CommandError(str(reason)) from reason
        except KeyboardInterrupt:
            raise CommandError("Stopped.", returncode=INTERRUPTED) from None
        finally:
            bars.close()

    def _handle(self, options: dict[str, Any], bars: Bars) -> None:
        season = published(options["slug"])
        board = season.board_of(options["region"])
        wish = _wish(options, season)
        if wish is None or season.is_counted(board):
            self._show(season, board, options, bars)
        if wish is not None:
            self._relayout(wish, options, bars)

    def _show(self, season: Published, board: int, options: dict[str, Any], bars: Bars) -> None:
        layout = board_layout(season, board, most=max(0, options["fullest"]))
        timed = []
        for done, bucket in enumerate(layout.fullest, 1):
            timed.append((bucket, measured(season, board, bucket)))
            bars.tell("measure", done, len(layout.fullest))
        bars.close()
        name = f"{season.slug} {options['region'] or 'global'}"
        self._say(layout_lines(season, name, layout))
        self._say(bucket_lines(season, timed))

    def _relayout(self, wish: Wish, options: dict[str, Any], bars: Bars) -> None:
        relaid = relayout_board(
            options["slug"],
            wish,
            region=options["region"],
            if_worth_it=options["auto"],
            tell=bars.tell,
        )
        bars.close()
        self._say(relaid_lines(relaid))
        if relaid.outcome == "not_worth_it":
            raise CommandError("Neither of what is counted nor the bytes fall by a fifth.")

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)


def begin(text: str) -> Begin:
    """Return where a bucket is to begin."""
    score, _, at = text.partition("@")
    try:
        return Begin(int(score), instant(at) if at else None)
    except ValueError as fault:
        raise ArgumentTypeError(f"{text!r} is not SCORE or SCORE@TIME") from fault


def _wish(options: dict[str, Any], season: Published) -> Wish | None:
    if options["auto"]:
        return evened_out
    if options["split"] is not None:
        return with_bucket_cut(options["split"])
    if options["boundaries"]:
        return begun_at([_key(season, one) for one in options["boundaries"]])
    return None


def _key(season: Published, wanted: Begin) -> Key:
    if not season.score_min <= wanted.score <= season.score_max:
        raise CommandError(f"Scores are {season.score_min} to {season.score_max}.")
    if wanted.at is not None and season.tie_rule == "shared":
        raise CommandError("Equal scores share a rank here: no bucket begins at a time.")
    tie_key = LOWEST_TIE_KEY if wanted.at is None else tie_key_of(wanted.at, season.tie_rule)
    return season.scores.turned(wanted.score), tie_key
