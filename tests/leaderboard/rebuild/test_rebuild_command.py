"""`manage.py rebuild`: what it says, whom it asks for, and how it is stopped."""

import os
import signal
import subprocess
import sys
import time
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from redis import Redis

from config import db
from config.lately import Lately
from leaderboard.management.benchmarks.workers import PROJECT, environment
from leaderboard.models import Rebuild
from leaderboard.operations import rebuild as rebuilding
from leaderboard.queries import published
from tests.api import get
from tests.leaderboard.rebuild.seasons_to_rebuild import (
    between,
    everything_happens,
    namespace_of,
    play,
    require_right,
)
from tests.play import Play

pytestmark = pytest.mark.usefixtures("shared")


def command(played: Play, *options: str) -> str:
    """Run the command and return what it says."""
    said = StringIO()
    call_command("rebuild", played.slug, *options, stdout=said)
    return said.getvalue()


def test_it_says_what_was_compared_and_asked() -> None:
    played = play()
    everything_happens(played)
    said = command(played)
    assert f"is in use in place of {played.namespace}" in said
    assert "the ledger agrees; the boards in use: agree" in said
    assert "differences in score 0, in rank 0, in window 0" in said


def test_what_was_replaced_is_dropped_when_told() -> None:
    played = play()
    everything_happens(played)
    command(played)
    assert tables_of(played.namespace) == {
        f"{parent}_n{played.namespace}"
        for parent in ("scores_ledger", "scores_best", "scores_undo", "leaderboard_bucket")
    }
    assert command(played, "--drop-old") == f"Dropped {played.namespace}.\n"
    assert tables_of(played.namespace) == {f"scores_ledger_n{played.namespace}"}
    assert command(played, "--drop-old") == "Dropped nothing.\n"
    require_right(played, [published(played.slug).current])


def test_an_unfinished_rebuild_is_abandoned_when_told() -> None:
    played = play()
    everything_happens(played)

    def fails() -> None:
        raise rebuilding.CannotRebuild("Somebody stops it.")

    for phase in ("folded", "shadowed"):
        with between(phase, fails), pytest.raises(CommandError, match="Somebody stops it"):
            command(played)
        made = Rebuild.objects.filter(season_id=played.season_id).latest("id")
        assert made.failure == "Somebody stops it."
        assert made.namespace is not None
        with pytest.raises(CommandError, match="from the ledger has begun"):
            command(played, "--from", "bests")
        assert "Abandoned" in command(played, "--abandon")
        assert tables_of(made.namespace) == set()
    with pytest.raises(CommandError, match="No rebuild of this season is unfinished"):
        command(played, "--abandon")
    assert namespace_of(played) == played.namespace
    command(played, "--from", "bests")
    require_right(played, [published(played.slug).current])


def test_a_season_that_is_not_there_is_said() -> None:
    with pytest.raises(CommandError, match="no season"):
        call_command("rebuild", "nowhere")


def test_ctrl_c_stops_it_cleanly_and_the_next_run_begins_at_once() -> None:
    played = play()
    everything_happens(played)
    running = subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.leaderboard.rebuild.killed"),
            *(played.slug, "ALTER TABLE scores_best_n", "0"),
        ],
        cwd=PROJECT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    running.stdout.readline()
    os.kill(running.pid, signal.SIGINT)
    running.communicate()
    stopped = Rebuild.objects.get(season_id=played.season_id)
    assert (stopped.phase, stopped.holder, stopped.failure) == (
        "folded", "", "KeyboardInterrupt",
    )  # fmt: skip
    command(played)
    require_right(played, [published(played.slug).current])


def test_players_whom_readers_asked_for_are_asked_for_again() -> None:
    played = play()
    everything_happens(played)
    get(f"/v1/seasons/{played.slug}/players/player-a/rank")
    get(f"/v1/seasons/{played.slug}/players/player-b/neighbors")
    lately = Lately("players")
    for player in ("player-c", "player-nobody"):
        lately.note(played.season_id, player)
    until_asked(played.season_id, "player-c")
    said = command(played)
    assert ", 0 of whom" not in said


def test_questions_are_forgotten_while_the_broker_is_away(monkeypatch: Any) -> None:
    monkeypatch.setattr(settings, "CELERY_BROKER_URL", "redis://127.0.0.1:1/0")
    lately = Lately("players")
    lately.note(1, "player-a")
    assert lately.asked(1) == []


def until_asked(season_id: int, player_id: str) -> None:
    """Wait until a question has reached the broker."""
    deadline = time.monotonic() + 20
    while player_id not in Lately("players").asked(season_id):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    Redis.from_url(settings.CELERY_BROKER_URL).close()


def tables_of(namespace: int) -> set[str]:
    """Return the tables and partitions of a namespace."""
    tables = db.Statement("SELECT relname::text FROM pg_class WHERE relkind = 'r'")
    return {name for name in db.fetch_all(str, tables) if name.endswith(f"_n{namespace}")}
