"""`manage.py export_differences SLUG VERSION FILE`: who moved by a corrected version."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from tqdm import tqdm

from config.errors import NotFinal
from leaderboard.management.export_command import ExportCommand
from leaderboard.management.exporting import write_whole
from leaderboard.queries import published
from leaderboard.queries.differences import Moved, Pair, differences
from leaderboard.queries.results import final_or_corrected


class Command(ExportCommand):
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
        self.add_file_arguments(parser)

    def export(self, path: Path, form: str, options: dict[str, Any]) -> str:
        """Write everybody who moved."""
        season = published(options["slug"], using="default")
        pair = Pair(
            final_or_corrected(season, None, using="default"),
            final_or_corrected(season, options["number"], using="default"),
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
            return f"{int(bar.n)} players moved"
