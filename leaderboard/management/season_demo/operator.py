"""What has no route: done as an operator does it, by commands and operations."""

from contextlib import redirect_stderr
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from django.core.management import call_command
from django.db import OperationalError

from config.errors import HeldResultDecided
from leaderboard.management.simulation.connection import CannotRun
from leaderboard.operations import create_season, verify_season
from scores.operations.decide_held import refuse_held, release_held
from scores.rules import Receipt
from seasons.models import Transition
from seasons.operations import close_season
from seasons.rules import SeasonRules

ACTOR = "season-demo"
OPEN_FOR = timedelta(hours=6)


class Noted(NamedTuple):
    """A transition as it was recorded."""

    status: str
    actor: str
    reason: str


class Verified(NamedTuple):
    """What a verification came to."""

    agrees: bool | None
    compared: int
    kinds: int


def schedule_season(slug: str, *, seconds: float, grace: int) -> None:
    """Make a season that opens so many seconds from now and holds late results for review."""
    starts_at = datetime.now(UTC) + timedelta(seconds=seconds)
    rules = SeasonRules(
        slug=slug,
        name="A season of make season-demo",
        starts_at=starts_at,
        cutoff_at=starts_at + OPEN_FOR,
        grace_seconds=grace,
        late_policy="review",
    )
    try:
        create_season(rules)
    except OperationalError as failure:
        why = str(failure).splitlines()[0]
        raise CannotRun(
            f"The server's database cannot be reached ({why}): give the DATA_DIR or the "
            "DATABASE_URL that the server was started with."
        ) from failure


def close(slug: str) -> None:
    """Let the cutoff be now."""
    close_season(slug, actor=ACTOR, reason="The demo has played enough.")


def release(slug: str, event_id: str) -> Receipt:
    """Let a held result in."""
    return release_held(slug, event_id, actor=ACTOR, reason="The match began in time.")


def refuse(slug: str, event_id: str) -> Receipt | None:
    """Refuse a held result; None if somebody has decided on it already."""
    try:
        return refuse_held(slug, event_id, actor=ACTOR, reason="The match began too late.")
    except HeldResultDecided:
        return None


def transitions(slug: str) -> list[Noted]:
    """Return who changed the season's state and why, in order."""
    recorded = Transition.objects.filter(season__slug=slug).order_by("id")
    return [Noted(*row) for row in recorded.values_list("status", "actor", "reason")]


def export_results(slug: str, path: Path, version: int | None = None) -> None:
    """Write the final version, or a corrected one, to a file."""
    named = [] if version is None else ["--version", str(version)]
    _run("export_results", slug, str(path), *named)


def export_differences(slug: str, version: int, path: Path) -> None:
    """Write who moved by a corrected version to a file."""
    _run("export_differences", slug, str(version), str(path))


def verify(slug: str, version: int) -> Verified:
    """Recompute a version from the ledger."""
    verification = verify_season(slug, version=version)
    checks = verification.report["checks"]
    compared = sum(check["compared"] for check in checks)
    return Verified(verification.agrees, compared, len(checks))


def _run(*command: str) -> None:
    # Its progress bar would stand between the lines of the demo.
    with redirect_stderr(StringIO()):
        call_command(*command, stdout=StringIO())
