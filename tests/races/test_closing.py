"""A season closes once, with all that was in time, whoever else is at work or is killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections

from leaderboard.models import Candidate, Version
from leaderboard.operations import finalize_season, seal_and_publish
from leaderboard.queries import published
from scores.rules import Receipt
from seasons.models import Season, Transition
from seasons.operations import close_season, record_transitions
from tests.factories import apply, correct, event, make_season, unused_slug
from tests.leaderboard.agreement import require_board
from tests.races.harness import PATIENCE, blocked, outcome, stopped, together, uncommitted

pytestmark = pytest.mark.race

REASON = {"actor": "eve", "reason": "over"}
PROJECT = Path(__file__).parents[2]
WAITING = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE NOT granted AND datname = current_database()
"""


@pytest.fixture
def slug(shared: str) -> str:
    """Give the test a season without grace time in which two players have results."""
    slug = make_season(unused_slug(), grace_seconds=0).slug
    apply(slug, event("ann", 10), event("bob", 20))
    return slug


def of(slug: str) -> Season:
    return Season.objects.get(slug=slug)


def finalize(slug: str) -> Any:
    return finalize_season(slug, **REASON)


def test_the_cutoff_waits_for_a_write_that_is_under_way(slug: str) -> None:
    with uncommitted(lambda: apply(slug, event("cid", 30))) as writer:
        closing = blocked(lambda: close_season(slug, **REASON))
        (receipt,) = writer.go_on()
        assert receipt.outcome == "improved"
        assert outcome(closing) is None
    assert of(slug).cutoff_at == Transition.objects.get(season=of(slug)).due_at


def test_a_write_behind_the_cutoff_sees_the_season_closed(slug: str) -> None:
    early = event("cid", 30)
    Season.objects.filter(slug=slug).update(grace_seconds=3600)

    def at_its_end(_: int, statement: str) -> bool:
        return statement == "COMMIT"

    with stopped(lambda: close_season(slug, **REASON), at_its_end) as closing:
        after = event("dan", 40)
        in_time, late = (blocked(partial(apply, slug, sent)) for sent in (early, after))
        closing.go_on()
    cutoff = of(slug).cutoff_at
    assert early.completed_at < cutoff < after.completed_at
    assert outcome(in_time)[0].outcome == "improved"
    assert outcome(late)[0].outcome == "late_rejected"


def test_writers_and_the_cutoff_agree_on_every_event(slug: str) -> None:
    Season.objects.filter(slug=slug).update(grace_seconds=3600)
    sent: list[Any] = []

    def writes(number: int) -> list[Receipt]:
        events = [event(f"p{number}-{turn}", turn) for turn in range(20)]
        sent.extend(events)
        return [receipt for one in events for receipt in apply(slug, one)]

    done = together(
        *(lambda number=number: writes(number) for number in range(4)),
        lambda: close_season(slug, **REASON),
    )
    cutoff = of(slug).cutoff_at
    receipts = {receipt.event_id: receipt.outcome for part in done[:4] for receipt in part}
    assert receipts == {
        one.event_id: "improved" if one.completed_at < cutoff else "late_rejected" for one in sent
    }


def test_two_that_record_the_same_transition_record_it_once(slug: str) -> None:
    first, second = together(*[lambda: record_transitions(of(slug).id)] * 2)
    assert sorted([first, second]) == [[], ["open"]]
    assert Transition.objects.filter(season=of(slug)).count() == 1


def test_two_closers_make_one_final(slug: str) -> None:
    close_season(slug, **REASON)
    seal_and_publish(of(slug).id)
    for done in together(*[lambda: finalize(slug)] * 2):
        assert getattr(done, "outcome", None) == "final", repr(done)
    season = published(slug)
    assert season.final_version == season.current
    assert Version.objects.filter(season_id=season.season_id, kind="final").count() == 1
    assert Transition.objects.filter(season_id=season.season_id, status="final").count() == 1


def test_a_correction_that_comes_while_it_is_frozen_corrects_the_final_version(slug: str) -> None:
    close_season(slug, **REASON)

    def frozen(_: int, statement: str) -> bool:
        return statement.startswith("SELECT pg_try_advisory_xact_lock(2") and is_over(slug)

    with stopped(lambda: finalize(slug), frozen) as closing:
        correction = blocked(lambda: correct(slug, "bob", 9, corrected_score=1))
        final = closing.go_on().version
        receipt = outcome(correction)
    assert (receipt.outcome, receipt.visible_in_version > final) == ("corrected", True)
    seal_and_publish(of(slug).id)
    now = published(slug)
    assert now.current > final
    require_board(now, final, {"ann": 10, "bob": 20}, [], [2])
    require_board(now, now.current, {"ann": 10, "bob": 1}, [], [2])


def is_over(slug: str) -> bool:
    """Return whether a candidate was proved, so that only the freeze is left."""
    return Candidate.objects.filter(season=of(slug), verification__agrees=True).exists()


def a_closing_season() -> str:
    slug = make_season(unused_slug(), grace_seconds=0).slug
    apply(slug, event("ann", 10), event("bob", 20))
    close_season(slug, **REASON)
    return slug


def is_statement(wanted: int, number: int, _: str) -> bool:
    return number == wanted


def test_wherever_it_fails_the_next_one_makes_the_same_final(shared: str) -> None:
    sent: list[str] = []

    def never(_: int, statement: str) -> bool:
        sent.append(statement)
        return False

    with (
        pytest.raises(AssertionError, match="never got there"),
        stopped(partial(finalize, a_closing_season()), never),
    ):
        pass
    commits = [number for number, statement in enumerate(sent) if statement == "COMMIT"]
    assert len(commits) > 4
    for number in commits:
        slug = a_closing_season()
        with stopped(partial(finalize, slug), partial(is_statement, number)) as held:
            held.fail()
        assert of(slug).final_version is None
        assert finalize(slug).outcome == "final"
        season = published(slug)
        require_board(season, season.current, {"ann": 10, "bob": 20}, [], [2])
        assert Transition.objects.filter(season=of(slug), status="final").count() == 1


@contextmanager
def closer(slug: str) -> Iterator["subprocess.Popen[str]"]:
    """Run the command in a process of its own, and kill it at the end."""
    described = connections.settings["default"]
    address = (
        f"postgresql://{described['USER']}:{described['PASSWORD']}"
        f"@{described['HOST']}:{described['PORT']}/{connections['default'].settings_dict['NAME']}"
    )
    with subprocess.Popen(
        [sys.executable, "manage.py", "finalize_season", slug],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": address},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until_it_waits(other: psycopg.Connection[Any], process: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + PATIENCE
    while other.execute(WAITING).fetchall() == [(0,)]:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    "obstacle",
    [
        "LOCK TABLE leaderboard_version IN ACCESS EXCLUSIVE MODE",
        "LOCK TABLE scores_ledger IN ACCESS EXCLUSIVE MODE",
        "LOCK TABLE leaderboard_results IN ACCESS EXCLUSIVE MODE",
        "LOCK TABLE seasons_season IN SHARE MODE",
    ],
    ids=["publishing", "reconciling", "taking the checksum", "freezing"],
)
def test_a_closer_that_is_killed_leaves_nothing_in_the_way(
    slug: str, superuser: psycopg.Connection[Any], obstacle: str
) -> None:
    close_season(slug, **REASON)
    superuser.autocommit = True
    with superuser.transaction():
        superuser.execute(obstacle.encode())
        with closer(slug) as process:
            until_it_waits(superuser, process)
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE)
    assert of(slug).final_version is None
    assert finalize(slug).outcome == "final"
    season = published(slug)
    require_board(season, season.current, {"ann": 10, "bob": 20}, [], [2])
