"""Killed at any point, a rebuild does no harm, and the next run goes on."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from leaderboard.management.benchmarks.workers import PROJECT, environment
from leaderboard.models import Rebuild, Version
from leaderboard.operations.rebuild import CannotRebuild, drop_replaced, rebuild_season
from leaderboard.queries import published
from tests.leaderboard.rebuild.killed import REACHED
from tests.leaderboard.rebuild.seasons_to_rebuild import (
    everything_happens,
    namespace_of,
    play,
    rebuild,
    require_right,
    seal_and_publish,
)
from tests.play import Play, Wanted

pytestmark = [pytest.mark.usefixtures("shared"), pytest.mark.race]

PLACES = [
    ("CREATE TABLE scores_best", 0),
    ("INSERT INTO scores_best_n", 0),
    ("COMMIT", 0),
    ("ALTER TABLE scores_best_n", 0),
    ("ALTER TABLE scores_best\nATTACH", 0),
    ("COMMIT", 1),
    ("INSERT INTO scores_rebuild_changed", 0),
    ("INSERT INTO scores_undo", 0),
    ("INSERT INTO leaderboard_version", 0),
    ("COMMIT", 2),
    ("DROP TABLE scores_rebuild_changed", 1),
    ("COMMIT", 3),
    ("COMMIT", 4),
    ("COMMIT", 5),
    ("COMMIT", 6),
    ("COMMIT", 7),
    ("COMMIT", 8),
    ("SET LOCAL lock_timeout", 0),
    ("DELETE FROM leaderboard_stop", 0),
    ("COMMIT", 9),
    ("ALTER TABLE scores_best DETACH", 0),
    ("DROP TABLE scores_best_n", 0),
    ("ALTER TABLE scores_undo DETACH", 0),
    ("DROP TABLE leaderboard_bucket_n", 0),
]


@contextmanager
def process(slug: str, statement: str, number: int) -> "Iterator[subprocess.Popen[str]]":
    """Run a rebuild in a process until it is before a statement; kill it at the end."""
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.leaderboard.rebuild.killed", slug, statement, str(number)],
        cwd=PROJECT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert running.stdout is not None
        assert running.stdout.readline().strip() == REACHED
        yield running
    finally:
        os.kill(running.pid, signal.SIGKILL)
        running.communicate()


def killed(played: Play, statement: str, number: int) -> None:
    """Kill a rebuild before a statement, and let the time pass in which it was at work."""
    with process(played.slug, statement, number):
        pass
    Rebuild.objects.filter(season_id=played.season_id).update(
        held_until=Now() - timedelta(seconds=1)
    )
    played.seal()


@pytest.mark.parametrize(("statement", "number"), PLACES, ids=lambda part: str(part)[:40])
def test_killed_anywhere_it_does_no_harm_and_goes_on(statement: str, number: int) -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    killed(played, statement, number)
    played.results(Wanted("player-a", 370, 1), Wanted("player-x", 3, 1))
    played.correct("player-b", 1)
    following = seal_and_publish(played)
    readable = [current, following]
    if Rebuild.objects.get(season_id=played.season_id).phase != "swapped":
        rebuild(played)
        readable = readable if _made(played, current) else [following]
    require_right(played, readable)
    assert drop_replaced(played.slug) == [played.namespace]
    require_right(played, readable)


def test_a_run_that_was_killed_is_waited_for_and_one_that_is_alive_refuses_another() -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    with (
        process(played.slug, "ALTER TABLE scores_best_n", 0),
        pytest.raises(CannotRebuild, match="under way"),
    ):
        rebuild_season(played.slug)
    rebuild(played)
    require_right(played, [current])


def _made(played: Play, number: int) -> bool:
    """Return whether the version was counted before the rebuild was killed."""
    return Version.objects.filter(namespace=namespace_of(played), number=number).exists()
