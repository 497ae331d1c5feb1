"""`manage.py export_differences SLUG VERSION FILE`: who moved by a corrected version."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from config.errors import NotFinal, Refusal
from leaderboard.management.exporting import FORMATS, write_whole
from leaderboard.queries import published
from leaderboard.queries.differences import Moved, Pair, differences
from leaderboard.queries.results import final_or_corrected


class Command(BaseCommand):
    """Exports the difference between the final and a corrected version."""

    help = (
        "Write everybody whose rank or score a corrected version changed, with old and new "
        "rank and score, and the settlements that had paid by the final one. The file appears "
        "when it is complete, with FILE.sha256 beside it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, the corrected version, the file and its format."""
        parser.add_argument("slug")
        parser.add_argument("number", metavar="VERSION", type=int)
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted(FORMATS), help="by default of the name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Export and say how many moved."""
        path: Path = options["file"]
        form = options["format"] or ("csv" if path.suffix == ".csv" else "ndjson")
        try:
            moved = self._export(path, form, options["slug"], options["number"])
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        except OSError as failure:
            raise CommandError(f"{path}: {failure.strerror}") from failure
        except KeyboardInterrupt:
            raise CommandError("Stopped; run it again.", returncode=130) from None
        self.stdout.write(f"{path}: {moved} players moved")

    def _export(self, path: Path, form: str, slug: str, number: int) -> int:
        season = published(slug, using="default")
        pair = Pair(
            final_or_corrected(season, None, using="default"),
            final_or_corrected(season, number, using="default"),
        )
        if pair.old == pair.new:
            raise NotFinal("This is the final version itself: name one that corrects it.")
        pages = (
            [moved._asdict() for moved in page]
            for page in differences(season, pair, using="default")
        )
        with tqdm(unit="players", unit_scale=True) as bar:
            for rows in write_whole(path, Moved._fields, pages, form):
                bar.update(rows)
            return int(bar.n)
