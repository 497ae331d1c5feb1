"""`manage.py export_results SLUG FILE`: a final or corrected version as CSV or JSON lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from leaderboard.management.export_command import ExportCommand
from leaderboard.management.exporting import Row, write_whole
from leaderboard.management.version_option import VersionCommand
from leaderboard.operations.take_checksum import take_checksum
from leaderboard.queries import published
from leaderboard.queries.published import Published
from leaderboard.queries.results import (
    Checksum,
    Ranked,
    Summing,
    final_or_corrected,
    ranked,
    walk,
)


class Command(VersionCommand, ExportCommand):
    """Exports results."""

    help = (
        "Write every player of the final version, or of a corrected one, to a file, in display "
        "order. The file appears when it is complete, with FILE.sha256 beside it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the season's id, the file, its format and the version."""
        parser.add_argument("slug")
        self.add_file_arguments(parser)
        parser.add_argument("--version", dest="number", type=int, help="a corrected version")

    def export(self, path: Path, form: str, options: dict[str, Any]) -> str:
        """Write every player of the version."""
        season = published(options["slug"], using="default")
        version = final_or_corrected(season, options["number"], using="default")
        checksum = take_checksum(season.slug, version)
        with tqdm(total=checksum.entries, unit="players", unit_scale=True) as bar:
            rows_written = write_whole(
                path, Ranked._fields, _rows(season, version, checksum), form
            )
            for rows in rows_written:
                bar.update(rows)
        return (
            f"{checksum.entries} players of version {version}, results checksum {checksum.sha256}"
        )


def _rows(season: Published, version: int, checksum: Checksum) -> Iterator[list[Row]]:
    summing = Summing()
    for page in ranked(season, walk(season, version, using="default")):
        summing.add(page)
        yield [player._asdict() for player in page]
    if summing.so_far != checksum:
        raise CommandError(
            f"The players come to the checksum {summing.so_far.sha256}, but {checksum.sha256} is "
            "stored of this version: verify it."
        )
