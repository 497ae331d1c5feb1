"""`manage.py import_events SLUG FILE`: deliver results from a file of JSON lines."""

from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from config.errors import Refusal
from scores.management.importing import Mark, Progress, Rejects, counted, deliver
from seasons.queries import season_id_of


class Command(BaseCommand):
    """Delivers a file of results, from where it stopped last time."""

    help = (
        "Deliver results from a file with one JSON event a line, in batches of 1,000, by the "
        "same operation as the HTTP interface. It can be stopped at any point and run again: "
        "it goes on where it stopped, and what was delivered twice counts once. Lines that "
        "are rejected are written to FILE.SLUG.rejects with their number and the reasons; "
        "the exit status is then 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id and the file."""
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Deliver the file and say what became of its events."""
        path: Path = options["file"]
        try:
            season_id_of(options["slug"])
            rejects = self._deliver(path, options["slug"])
        except OSError as failure:
            raise CommandError(f"{path}: {failure.strerror}") from failure
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        except KeyboardInterrupt:
            raise CommandError("Stopped; run it again to go on.", returncode=130) from None
        if rejects.count():
            raise CommandError(f"{rejects.count()} lines were rejected: see {rejects.path}")

    def _deliver(self, path: Path, slug: str) -> Rejects:
        progress = Progress(path, slug)
        start = progress.read()
        rejects = Rejects(path, slug, anew=start == Mark())
        outcomes: Counter[str] = Counter()
        with path.open("rb") as file, _bar(path, start) as bar:
            for delivered in deliver(file, slug, start):
                rejects.add(delivered.rejects)
                progress.write(delivered.end)
                outcomes += counted(delivered.receipts)
                bar.update(delivered.end.offset - bar.n)
        progress.forget()
        for outcome, events in sorted(outcomes.items()):
            self.stdout.write(f"{outcome}: {events}")
        return rejects


def _bar(path: Path, start: Mark) -> "tqdm[Any]":
    return tqdm(total=path.stat().st_size, initial=start.offset, unit="B", unit_scale=True)
