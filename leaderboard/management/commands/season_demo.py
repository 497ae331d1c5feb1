"""`manage.py season_demo`: a whole season on a running server, every number checked."""

import os
import secrets
import tempfile
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.management.season_demo.options import Options
from leaderboard.management.season_demo.run import season_demo
from leaderboard.management.simulation.connection import CannotRun


class Command(BaseCommand):
    """Play a season from its opening to a correction after it is final."""

    help = (
        "Plays a season of its own on the running server: it opens, everybody plays, a cheater "
        "is removed, late results are held, it becomes final, is paid by, exported, corrected "
        "and proved. Every number is checked against a model of its own. Exit status 1 on any "
        "mismatch, 2 if it cannot run. Each flag has an environment variable of the same name "
        "in capitals."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take each option from its flag, else from the environment."""
        data_dir = Path(os.environ.get("DATA_DIR", ".data"))
        port = os.environ.get("PORT", "8000")
        for name, kind, default, meaning in (
            ("base-url", str, f"http://127.0.0.1:{port}", "address of the server"),
            ("season", str, _season(), "the season to make"),
            ("token-file", Path, data_dir / "match-service.token", "file with a service token"),
            ("players", int, 100_000, "players who take part"),
            ("look-at", int, 2_000, "players who are read one by one"),
            ("grace", int, 5, "seconds of grace time after the cutoff"),
            ("seed", int, 0, "repeats the same choices; 0: new ones"),
        ):
            variable = name.replace("-", "_").upper()
            given = os.environ.get(variable) or default
            parser.add_argument(f"--{name}", type=kind, default=str(given), help=meaning)

    def handle(self, *_: Any, **given: Any) -> None:
        """Run, and leave with the status of the run."""
        try:
            with tempfile.TemporaryDirectory(prefix="season-demo-") as folder:
                status = season_demo(_options(given, Path(folder)), self._say)
        except CannotRun as reason:
            raise CommandError(str(reason), returncode=2) from reason
        except KeyboardInterrupt as stopped:
            raise CommandError("Stopped before the end.", returncode=2) from stopped
        if status:
            raise SystemExit(status)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _options(given: dict[str, Any], folder: Path) -> Options:
    return Options(
        base_url=given["base_url"].rstrip("/"),
        token=_token(given["token_file"]),
        season=given["season"],
        folder=folder,
        players=given["players"],
        looked_at=given["look_at"],
        grace=given["grace"],
        seed=given["seed"] or secrets.randbits(32),
    )


def _season() -> str:
    return f"season-demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"


def _token(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except OSError as failure:
        raise CannotRun(
            f"No service token in {path} ({failure.strerror}): start the server with `make run`, "
            "or name a file with TOKEN_FILE."
        ) from failure
