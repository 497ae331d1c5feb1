"""`manage.py import_events SLUG FILE`: deliver results from a file of JSON lines."""

from argparse import ArgumentTypeError
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from config.errors import Refusal
from scores.management.importing import WHOLE, Mark, Part, Progress, Rejects, counted, deliver
from seasons.queries import season_id_of


class Command(BaseCommand):
    """Delivers a file of results, from where it stopped last time."""

    help = (
        "Deliver results from a file with one JSON event a line, in batches of 1,000, by the "
        "same operation as the HTTP interface. It can be stopped at any point and run again: "
        "it goes on where it stopped, and what was delivered twice counts once. Lines that "
        "are rejected are written to FILE.SLUG.rejects with their number and the reasons; "
        "the exit status is then 1. Several processes deliver a file together when each is "
        "given its part of the players: --part 1/4, --part 2/4, ..."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, the file, and which part of it."""
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--part",
            type=_part,
            default=WHOLE,
            metavar="K/N",
            help="deliver the K-th of N parts, each with some of the players",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Deliver the file and say what became of its events."""
        path: Path = options["file"]
        try:
            season_id_of(options["slug"])
            rejects = self._deliver(path, options["slug"], options["part"])
        except OSError as failure:
            raise CommandError(f"{path}: {failure.strerror}") from failure
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        except KeyboardInterrupt:
            raise CommandError("Stopped; run it again to go on.", returncode=130) from None
        if rejects.count():
            raise CommandError(f"{rejects.count()} lines were rejected: see {rejects.path}")

    def _deliver(self, path: Path, slug: str, part: Part) -> Rejects:
        progress = Progress(path, slug, part)
        start = progress.read()
        rejects = Rejects(path, slug, part, anew=start == Mark())
        outcomes: Counter[str] = Counter()
        with path.open("rb") as file, _bar(path, start) as bar:
            for delivered in deliver(file, slug, start, part):
                rejects.add(delivered.rejects)
                progress.write(delivered.end)
                outcomes += counted(delivered.receipts)
                bar.update(delivered.end.offset - bar.n)
        progress.forget()
        for outcome, events in sorted(outcomes.items()):
            self.stdout.write(f"{outcome}: {events}")
        return rejects


def _part(text: str) -> Part:
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise ArgumentTypeError(f"{text} is not a part such as 2/4.")
    return Part(int(number), int(of))


def _bar(path: Path, start: Mark) -> "tqdm[Any]":
    return tqdm(total=path.stat().st_size, initial=start.offset, unit="B", unit_scale=True)
