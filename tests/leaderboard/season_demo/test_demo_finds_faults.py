"""The demo's steps meet an honest server, and one with a fault planted in front of it."""

from collections.abc import Callable
from typing import Any

import pytest

from leaderboard.management.season_demo.correcting import correct_open_season, read_board
from leaderboard.management.season_demo.opening import play
from leaderboard.management.season_demo.stage import Stage
from tests.leaderboard.season_demo.staged import Middle, cast, staged
from tests.leaderboard.simulation.faults import (
    Echo,
    Fault,
    PinChanges,
    ReplayHidden,
    SequentialTie,
    VisibleTooEarly,
    rows_in,
)
from tests.leaderboard.simulation.reference import Answer, Json
from tests.leaderboard.simulation.serving import publishing


class Lowered(Fault):
    """Whoever has rank 7 is shown with rank 8."""

    def spoil(self, kind: str, reply: Json) -> None:
        for row in rows_in(reply):
            row["rank"] += row["rank"] == 7


class OneMore(Fault):
    """Who asks for a rank is told of one player too many."""

    def spoil(self, kind: str, reply: Json) -> None:
        reply["total_players"] += kind == "rank"


class Lost(Fault):
    """Whoever leads is left out of every list."""

    def spoil(self, kind: str, reply: Json) -> None:
        for name in ("entries", "above"):
            reply[name] = [row for row in reply.get(name, []) if row["rank"] > 1]


class Untold(Fault):
    """The feed leaves one change out."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if "/changes" in url and len(reply["changes"]) > 3:
            del reply["changes"][2]
        return status, reply


class Told(Fault):
    """The feed has one change twice."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if "/changes" in url and len(reply["changes"]) > 3:
            reply["changes"].insert(2, reply["changes"][2])
        return status, reply


class LeadsNowhere(Fault):
    """The feed has no cursor to go on from."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        return status, reply | {"next": None} if "/changes" in url else reply


class StillThere(Fault):
    """Nobody is ever gone: a player off the board is shown at the end of it."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 404 and "/rank" in url and "version" in url:
            return 200, {"rank": 120, "score": 0}
        return status, reply


def played(plant: type[Fault], *steps: Callable[[Stage], None]) -> tuple[int, str]:
    """Return how much differed, and what was said."""
    said: list[str] = []
    reference = Middle()
    with publishing(reference), staged(plant(reference.handle), said) as stage:
        cast(stage, reference)
        for step in steps:
            step(stage)
    return stage.checks.mismatches, "\n".join(said)


def test_an_honest_server_passes_every_check() -> None:
    mismatches, said = played(Fault, play, read_board, correct_open_season)
    assert mismatches == 0, said
    for outcome in ("improved", "not_improved", "stale_version", "replayed", "conflict"):
        assert outcome in said
    for event in ("before_start", "cheats and leads", "is back with", "down to"):
        assert event in said


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (Lowered, "rank"),
        (Lost, "/entries/0"),
        (SequentialTie, "top 100, at /entries"),
        (OneMore, "total_players"),
        (PinChanges, "as_of"),
        (Untold, "events that the feed lacks"),
        (Told, "first time of the change"),
        (LeadsNowhere, "the feed leads on"),
        (ReplayHidden, "receipt of"),
        (Echo, "receipt of"),
        (VisibleTooEarly, "one version above"),
    ],
)
def test_a_fault_is_reported(plant: type[Fault], words: str) -> None:
    mismatches, said = played(plant, play, read_board)
    assert mismatches > 0
    assert any("MISMATCH" in line and words in line for line in said.splitlines()), said


def test_a_player_who_is_not_gone_is_reported() -> None:
    mismatches, said = played(StillThere, play, correct_open_season)
    assert mismatches > 0
    assert "MISMATCH" in said
