"""`manage.py simulate`: a match service and its players against a running server."""

import os
import secrets
from argparse import ArgumentParser
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboard.management.own_series import NoSeries, own_series
from leaderboard.management.simulation.connection import CannotRun, Connection, Unreachable
from leaderboard.management.simulation.options import Options
from leaderboard.management.simulation.run import simulate

UNCOVERED = "Windows and regions are not covered"


class Command(BaseCommand):
    """Write and read seasons over HTTP, and check every reply against a model of its own."""

    help = (
        "Plays a match service and its players against a running server over HTTP, and checks "
        "every receipt, rank, window and total against a model of its own: in one season, and at "
        "the same time in a series that it makes for the run and ends after it, with regions "
        "and windows of minutes that open, close and go. Half of the events and reads go to the "
        "season, half to the series. It must be the only writer of both while it runs: events "
        "of anybody else show up as mismatches. Exit status 1 on any mismatch, 2 if it cannot "
        "run. Each flag has an environment variable of the same name in capitals."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take each option from its flag, else from the environment."""
        data_dir = Path(os.environ.get("DATA_DIR", ".data"))
        port = os.environ.get("PORT", "8000")
        for name, kind, default, meaning in (
            ("base-url", str, f"http://127.0.0.1:{port}", "address of the server"),
            ("season", str, "demo", "the season to play in"),
            ("token-file", Path, data_dir / "match-service.token", "file with a service token"),
            ("series", str, "", "a series to play in place of one made for the run"),
            ("rate", float, 200.0, "events a second, to season and series together"),
            ("players", int, 2000, "players who take part in each"),
            ("seconds", float, 60.0, "how long to play"),
            ("reads", float, 0.0, "reads a second; 0: a fifth of the events, from 10 to 200"),
            ("batch", int, 0, "events in the largest batch; 0: what suits the rate"),
            ("seed", int, 0, "repeats the same choices; 0: new ones"),
        ):
            variable = name.replace("-", "_").upper()
            given = os.environ.get(variable) or default
            parser.add_argument(f"--{name}", type=kind, default=str(given), help=meaning)
        parser.add_argument(
            "--no-series",
            action="store_true",
            default=bool(os.environ.get("NO_SERIES")),
            help="play the season only",
        )

    def handle(self, *_: Any, **given: Any) -> None:
        """Run, and leave with the status of the run."""
        try:
            token = _token(given["token_file"])
            with ExitStack() as stack:
                series = given["series"] or self._series(stack, given)
                status = simulate(_options(given, token, series), self._say)
        except CannotRun as reason:
            raise CommandError(str(reason), returncode=2) from reason
        except KeyboardInterrupt as stopped:
            raise CommandError("Stopped before the end.", returncode=2) from stopped
        if status:
            raise SystemExit(status)

    def _series(self, stack: ExitStack, given: dict[str, Any]) -> str:
        """Return a series made for the run; none, and say so, if the server would not have it."""
        if given["no_series"]:
            return ""
        slug = f"sim-{secrets.token_hex(4)}"
        # Nothing is made where nobody answers.
        _knows_series(given["base_url"].rstrip("/"), slug)
        try:
            stack.enter_context(own_series(slug))
        except NoSeries as reason:
            self._say(f"{UNCOVERED}: no series can be made here ({reason}).")
            return ""
        if _knows_series(given["base_url"].rstrip("/"), slug):
            return slug
        stack.close()
        self._say(f"{UNCOVERED}: the database that is known here is not that of the server.")
        return ""

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _options(given: dict[str, Any], token: str, series: str) -> Options:
    return Options(
        base_url=given["base_url"].rstrip("/"),
        season=given["season"],
        token=token,
        rate=given["rate"],
        players=given["players"],
        seconds=given["seconds"],
        reads=given["reads"],
        batch=given["batch"],
        seed=given["seed"] or secrets.randbits(32),
        series=series,
    )


def _knows_series(base_url: str, slug: str) -> bool:
    with closing(Connection(base_url)) as connection:
        try:
            return connection.ask("GET", f"/v1/series/{slug}").status == 200
        except Unreachable as failure:
            raise CannotRun(
                f"No server answers at {base_url}: {failure}. Is `make run` running there? "
                "PORT or BASE_URL name another address."
            ) from failure


def _token(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except OSError as failure:
        raise CannotRun(
            f"No service token in {path} ({failure.strerror}): start the server with `make run`, "
            "or name a file with TOKEN_FILE."
        ) from failure
