"""The epoch fence: no seal passes a writer, and no writer waits long for a seal."""

import time
from typing import Any

import psycopg
import pytest

from config.errors import Unavailable
from leaderboard import queries
from leaderboard.operations import publish_version
from leaderboard.queries import Position, published
from scores.models import Ledger
from seasons.models import Epoch, Season
from seasons.operations import seal_epoch
from tests.factories import apply, event, make_season, publish, unused_slug
from tests.own_database import connect
from tests.races.harness import blocked, in_background, outcome, uncommitted

pytestmark = pytest.mark.race

HOLD = "SELECT pg_advisory_xact_lock(1, %s)"
MOVE = "UPDATE seasons_epoch SET open_epoch = open_epoch + 5 WHERE season_id = %s"


def season_id(slug: str) -> int:
    return Season.objects.get(slug=slug).id


def rank_at(slug: str, player_id: str, version: int) -> int | None:
    found = queries.rank_of_player(published(slug), player_id, version=version)
    assert found is not None
    return found.rank


def row_of(slug: str, player_id: str) -> Ledger:
    return Ledger.objects.get(
        namespace=Season.objects.get(slug=slug).namespace, player_id=player_id
    )


@pytest.fixture
def other(shared: str) -> Any:
    """Give the test a session of its own, with a transaction that it ends itself."""
    with connect(shared) as connection:
        connection.autocommit = False
        yield connection


def test_an_open_write_appears_once_in_a_later_version(slug: str) -> None:
    apply(slug, event("early", 10))
    seal_epoch(season_id(slug))
    with uncommitted(lambda: apply(slug, event("slow", 30))):
        apply(slug, event("quick", 20))
        done = publish_version(season_id(slug))
        assert (done.version, done.changes) == (2, 1)
        sealed = blocked(lambda: seal_epoch(season_id(slug)))
    assert outcome(sealed) is True
    last = publish_version(season_id(slug)).version or 0
    assert rank_at(slug, "slow", 2) is None
    assert rank_at(slug, "slow", last) == 1
    assert rank_at(slug, "quick", last) == 2
    walked = queries.changes(published(slug), Position(), limit=10).rows
    assert [(row.player_id, row.version) for row in walked] == [
        ("early", 2), ("slow", last), ("quick", last),
    ]  # fmt: skip


def test_a_seal_that_cannot_pass_gives_up_and_the_next_one_passes(
    slug: str, other: psycopg.Connection[Any]
) -> None:
    other.execute("SELECT pg_advisory_xact_lock_shared(1, %s)", [season_id(slug)])
    assert seal_epoch(season_id(slug)) is False
    assert publish_version(season_id(slug)).outcome == "idle"
    other.rollback()
    assert seal_epoch(season_id(slug)) is True


def test_writers_wait_for_a_waiting_seal_no_longer_than_it_may_wait(slug: str) -> None:
    with uncommitted(lambda: apply(slug, event("slow", 30))):
        sealed = blocked(lambda: seal_epoch(season_id(slug)))
        started = time.monotonic()
        behind = blocked(lambda: apply(slug, event("quick", 20)))
        assert outcome(behind)[0].outcome == "improved"
        assert time.monotonic() - started < 2.0
    assert outcome(sealed) is True


def test_a_writer_that_waited_reads_the_epoch_that_was_opened_meanwhile(
    slug: str, other: psycopg.Connection[Any]
) -> None:
    other.execute(HOLD, [season_id(slug)])
    other.execute(MOVE, [season_id(slug)])
    waiting = blocked(lambda: apply(slug, event("ann", 10)))
    released = other.execute("SELECT clock_timestamp()").fetchone()
    other.commit()
    (receipt,) = outcome(waiting)
    opened = Epoch.objects.get(season_id=season_id(slug)).open_epoch
    assert receipt.visible_in_version == opened == 7
    assert released is not None
    assert row_of(slug, "ann").accepted_at > released[0]


def test_a_writer_does_not_wait_at_the_fence_for_ever(
    slug: str, other: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scores.steps.writing.TRIES", 1)
    other.execute(HOLD, [season_id(slug)])
    started = time.monotonic()
    waiting = in_background(lambda: apply(slug, event("ann", 10)))
    assert isinstance(outcome(waiting), Unavailable)
    assert 1.4 < time.monotonic() - started < 8.0
    other.rollback()
    assert apply(slug, event("ann", 10))[0].outcome == "improved"


def test_the_fence_of_one_season_is_not_that_of_another(slug: str, shared: str) -> None:
    elsewhere = make_season(unused_slug()).slug
    with uncommitted(lambda: apply(slug, event("slow", 30))):
        apply(elsewhere, event("ann", 10))
        assert publish(elsewhere).outcome == "published"
