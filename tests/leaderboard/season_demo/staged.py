"""A demo's stage in front of a server that answers from memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from leaderboard.management.season_demo.checks import Checks
from leaderboard.management.season_demo.client import Client
from leaderboard.management.season_demo.options import Options
from leaderboard.management.season_demo.stage import Stage
from leaderboard.management.season_demo.traffic import Traffic
from leaderboard.management.simulation.season import text_of
from tests.leaderboard.simulation.reference import Json, Reference, number
from tests.leaderboard.simulation.serving import Handle, serving

PLAYERS = 120
SEED = 1


class Middle(Reference):
    """The reference, with a player in the middle of the page around them."""

    def read_page(self, version: int, query: dict[str, str], *more: Any) -> Json:
        if "around_player" not in query:
            return super().read_page(version, query, *more)
        limit, rows = number(query, "limit", 100), self.rows(version)
        first = self.place(version, query["around_player"]) - limit // 2
        first = max(0, min(first, len(rows) - limit))
        shown = [{**row, "position": None} for row in rows[first : first + limit]]
        return {
            "entries": shown,
            "next": "on" if first + limit < len(rows) else None,
            "previous": "back" if first > 0 else None,
        }


@contextmanager
def staged(handle: Handle, said: list[str], folder: Path = Path()) -> Iterator[Stage]:
    """Give a stage whose season `demo` is served by a function, in a step that was begun."""
    with serving(handle) as url:
        client, checks = Client(url, "secret"), Checks(said.append)
        options = Options(url, "secret", "demo", folder, players=PLAYERS, looked_at=40)
        with checks.step("a step"):
            yield Stage(options, client, checks)
        client.close()


def cast(stage: Stage, reference: Reference) -> None:
    """Give the stage its players, as the opening of a season does."""
    # With this seed there is an outcome of each kind, and none that does not count shares a
    # batch with others of its player's: which state its receipt shows is then left open.
    stage.detail()
    stage.book.starts_at = text_of(reference.starts_at)
    stage.traffic = Traffic(Random(SEED), "test", PLAYERS, reference.starts_at)
