"""A write that meets another one on its way is run again, and nobody is told."""

import time
from typing import Any

import psycopg
import pytest

from config.errors import Unavailable
from scores.steps import writing as steps
from seasons.models import Season
from tests.factories import apply, correct, event
from tests.own_database import connect
from tests.races.harness import PATIENCE, blocked, outcome, together

pytestmark = pytest.mark.race

BEST = "SELECT FROM scores_best WHERE namespace = %s AND player_id = %s FOR UPDATE"
BEGINNINGS = """
SELECT xact_start FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


@pytest.fixture
def other(shared: str) -> Any:
    """Give the test a session of its own, with a transaction that it ends itself."""
    with connect(shared) as connection:
        connection.autocommit = False
        yield connection


def hold(other: psycopg.Connection[Any], slug: str, player_id: str) -> None:
    other.execute(BEST, [Season.objects.get(slug=slug).namespace, player_id])


def test_a_deadlock_is_run_again(slug: str, other: psycopg.Connection[Any]) -> None:
    apply(slug, event("ann", 1), event("bob", 1))
    hold(other, slug, "bob")
    batch = blocked(lambda: apply(slug, event("ann", 10, 2), event("bob", 10, 2)))
    hold(other, slug, "ann")
    other.commit()
    assert [receipt.outcome for receipt in outcome(batch)] == ["improved", "improved"]


def test_a_wait_that_took_too_long_is_run_again(
    slug: str, other: psycopg.Connection[Any], shared: str
) -> None:
    apply(slug, event("ann", 1))
    hold(other, slug, "ann")
    write = blocked(lambda: correct(slug, "ann", 2, corrected_score=5))
    with connect(shared) as watcher:
        (first,) = watcher.execute(BEGINNINGS).fetchall()
        deadline = time.monotonic() + PATIENCE
        while watcher.execute(BEGINNINGS).fetchall() in ([first], []):
            assert time.monotonic() < deadline, "it was not run again"
    other.commit()
    assert outcome(write).outcome == "corrected"


def test_after_the_last_time_the_write_is_refused_and_leaves_nothing(slug: str) -> None:
    attempts = []

    def attempt() -> None:
        attempts.append(1)
        raise steps.RunAgain

    with pytest.raises(Unavailable):
        steps.until_it_holds(attempt)
    assert len(attempts) == 5


def test_opposite_orders_of_players_never_wait_in_a_circle(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scores.steps.writing.TRIES", 1)  # So that a deadlock would be seen.
    players = [f"player-{number:02}" for number in range(40)]

    def play(turn: int) -> None:
        for version in range(1 + turn, 200, 4):
            order = players if version % 2 else players[::-1]
            batch = [event(player, version * 1000 + turn, version) for player in order]
            again = [event(player, version * 1000 + turn, version) for player in order[:5]]
            receipts = apply(slug, *batch, *again)
            assert {receipt.outcome for receipt in receipts} <= {"improved", "stale_version"}

    assert together(*[lambda turn=turn: play(turn) for turn in range(4)]) == [None] * 4
