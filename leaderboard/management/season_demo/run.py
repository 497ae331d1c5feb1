"""A whole demo: nine steps, and the table."""

from collections.abc import Callable
from contextlib import closing

from leaderboard.management.season_demo.afterwards import correct_final, prove
from leaderboard.management.season_demo.checks import Checks, Say
from leaderboard.management.season_demo.client import Client
from leaderboard.management.season_demo.closing import close_season, see_final
from leaderboard.management.season_demo.correcting import correct_open_season, read_board
from leaderboard.management.season_demo.opening import open_season, play
from leaderboard.management.season_demo.options import FEWEST_PLAYERS, Options
from leaderboard.management.season_demo.paying import pay
from leaderboard.management.season_demo.report import table
from leaderboard.management.season_demo.stage import CannotGoOn, Stage
from leaderboard.management.simulation.connection import CannotRun, Unreachable

STEPS: tuple[tuple[str, Callable[[Stage], None]], ...] = (
    ("The season opens", open_season),
    ("Everybody plays", play),
    ("The board, from all sides", read_board),
    ("Corrections while it is open", correct_open_season),
    ("The cutoff, and what comes late", close_season),
    ("Final", see_final),
    ("Results, and who paid by them", pay),
    ("A correction after final", correct_final),
    ("The proof from the ledger", prove),
)


def season_demo(options: Options, say: Say) -> int:
    """
    Play a whole season, say what was seen, and return the exit status.

    Raises CannotRun with one sentence when there is nothing to run against.
    """
    if options.players < FEWEST_PLAYERS:
        raise CannotRun(f"A season needs at least {FEWEST_PLAYERS} players.")
    checks = Checks(say)
    with closing(Client(options.base_url, options.token)) as client:
        _require_server(client)
        say(f"Season {options.season}, {options.players:,} players, seed {options.seed}.")
        stage = Stage(options, client, checks)
        _play(stage, checks, say)
    for line in table(checks.steps):
        say(line)
    return 1 if checks.mismatches else 0


def _play(stage: Stage, checks: Checks, say: Say) -> None:
    """Go through the steps, or as far as they go once something was wrong."""
    try:
        for title, step in STEPS:
            with checks.step(title):
                step(stage)
    except (CannotGoOn, CannotRun) as reason:
        if not checks.mismatches:
            raise
        say(f"It ends here. {reason}".rstrip())


def _require_server(client: Client) -> None:
    try:
        answer = client.once("GET", "/readyz")
    except Unreachable as failure:
        raise CannotRun(f"No server answers: {failure}. Is `make run` running?") from failure
    if answer.status != 200:
        raise CannotRun(f"The server is not ready: {answer.status} {answer.content!r:.200}")
