"""What the commands that write a file have in common."""

from abc import abstractmethod
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.errors import Refusal
from leaderboard.management.exporting import FORMATS


class ExportCommand(BaseCommand):
    """Takes a file and its format, and says what was written or why nothing was."""

    def add_file_arguments(self, parser: CommandParser) -> None:
        """Take the file and its format."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted(FORMATS), help="by default of the name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Export and say what was written."""
        path: Path = options["file"]
        form = options["format"] or ("csv" if path.suffix == ".csv" else "ndjson")
        try:
            written = self.export(path, form, options)
        except Refusal as refusal:
            raise CommandError(refusal.detail) from refusal
        except OSError as failure:
            raise CommandError(f"{path}: {failure.strerror}") from failure
        except KeyboardInterrupt:
            raise CommandError("Stopped; run it again.", returncode=130) from None
        self.stdout.write(f"{path}: {written}")

    @abstractmethod
    def export(self, path: Path, form: str, options: dict[str, Any]) -> str:
        """Write the file, and return what it has."""
