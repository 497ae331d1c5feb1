"""What happens while a proof runs is no difference, and what ends it leaves nothing behind."""

import itertools
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config.errors import VersionExpired
from leaderboard.management.benchmarks.workers import environment
from leaderboard.models import Lease, Verification, Version
from leaderboard.operations import purge_versions
from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published
from seasons.models import Season
from tests.factories import apply, board, correct, event, make_season, publish
from tests.leaderboard.proof.played import differences, move
from tests.own_database import connect
from tests.races.harness import PATIENCE, on_and_on, together

Superuser = psycopg.Connection[Any]
SCOPES = ["whole", "sample"]
ROOT = Path(__file__).parents[3]
WORK_TABLES = "SELECT count(*) FROM pg_class WHERE relname LIKE 'proof_%'"
SESSIONS = """
SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%proof_player%'
AND pid <> pg_backend_pid()
"""

_versions = itertools.count(100)


class Interruption:
    """Does something as often as a proof tells of a phase, in the thread that called it."""

    def __init__(self, does: Any) -> None:
        self.times = 0
        self._does = does
        self._thread = threading.get_ident()

    def __call__(self, line: str) -> None:
        if threading.get_ident() == self._thread:
            self.times += 1
            self._does()


def everything(slug: str) -> None:
    """Let results and decisions be accepted, published, and what is replaced be purged."""
    version = next(_versions)
    apply(slug, event("ann", version % 900, version), event(f"new-{version}", version % 700))
    publish(slug)
    correct(slug, "bob", version, corrected_score=version % 50)
    removal = correct(slug, "eve", version)
    move(ann="NA", bob="EU", eve=None)
    publish(slug)
    move(ann="EU", bob="NA")
    correct(slug, "eve", version + 1, void_event_id=removal.event_id)
    publish(slug)
    purge_versions(published(slug).season_id, version_kept_seconds=0)
    apply(slug, event("dan", version % 800, version))


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("age", [0, 3])
def test_what_is_written_published_and_purged_meanwhile_is_no_difference(
    of_any_kind: str, scope: str, age: int
) -> None:
    season = Season.objects.get(slug=of_any_kind)
    versions = Version.objects.filter(season_id=season.id).order_by("-number")
    version = versions.values_list("number", flat=True)[age]
    meanwhile = Interruption(lambda: everything(of_any_kind))
    verification = verify_season(of_any_kind, version=version, scope=scope, say=meanwhile)
    assert meanwhile.times >= 4
    assert differences(verification) == {}
    assert verification.version == version
    purge_versions(season.id, version_kept_seconds=0)
    assert not Version.objects.filter(season_id=season.id, number=version).exists()


@pytest.mark.race
@pytest.mark.parametrize("scope", SCOPES)
def test_proofs_agree_while_writers_and_publishers_run(of_any_kind: str, scope: str) -> None:
    numbers = itertools.count(1000)

    def write() -> None:
        number = next(numbers)
        apply(of_any_kind, *(event(f"new-{i}", number * i % 900, number) for i in range(20)))
        move(**{f"new-{number % 20}": "EU" if number % 3 else "NA"})

    with on_and_on(write, lambda: publish(of_any_kind)):
        found = [differences(verify_season(of_any_kind, scope=scope)) for _ in range(4)]
    assert found == [{}] * 4


@pytest.mark.race
def test_several_may_verify_at_the_same_time(played: str) -> None:
    found = together(*[lambda: verify_season(played).agrees] * 3)
    assert found == [True, True, True]
    assert not Lease.objects.exists()


@pytest.mark.parametrize("scope", SCOPES)
def test_a_version_that_goes_meanwhile_is_expired_not_different(played: str, scope: str) -> None:
    season = Season.objects.get(slug=played)

    def lose_it() -> None:
        Lease.objects.filter(season_id=season.id).delete()
        publish(played)
        purge_versions(season.id, version_kept_seconds=0)

    with pytest.raises(VersionExpired):
        verify_season(played, version=3, scope=scope, say=Interruption(lose_it))
    failed = Verification.objects.filter(season_id=season.id).latest("id")
    assert failed.agrees is None
    assert failed.finished_at is not None
    assert failed.report["failure"]


def test_the_work_tables_are_gone_afterwards(played: str, superuser: Superuser) -> None:
    verify_season(played)
    _until(lambda: superuser.execute(WORK_TABLES).fetchall() == [(0,)])


def test_a_session_that_is_ended_ends_the_proof(played: str, superuser: Superuser) -> None:
    def end_sessions() -> None:
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND query LIKE '%proof_%'"
        )

    with pytest.raises(Exception, match=r"terminat|closed|lost|does not exist"):
        verify_season(played, say=Interruption(end_sessions))
    assert Verification.objects.latest("id").agrees is None
    assert not Lease.objects.exists()
    assert verify_season(played).agrees


@pytest.mark.race
def test_what_ends_one_half_of_a_proof_ends_the_other(played: str, superuser: Superuser) -> None:
    def break_off(line: str) -> None:
        if line == "compare the bests ...":
            raise KeyboardInterrupt

    with superuser.transaction():
        superuser.execute("LOCK TABLE leaderboard_publication IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(KeyboardInterrupt):
            verify_season(played, say=break_off)
    # A session drops its tables a moment after it has ended for its client.
    _until(lambda: superuser.execute(WORK_TABLES).fetchall() == [(0,)])


@pytest.mark.race
def test_a_killed_proof_leaves_no_tables_and_a_lease_that_ends(database: str) -> None:
    season = make_season("season", score_max=999)
    board("season", ann=10, bob=20)
    with connect(database) as other, other.transaction():
        other.execute(
            f"LOCK TABLE scores_ledger_n{season.namespace} IN ACCESS EXCLUSIVE MODE".encode()
        )
        command = [sys.executable, "manage.py", "verify", "season"]
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **environment()}, stdout=subprocess.DEVNULL
        )
        _until(lambda: _sessions(database) != [])
        process.kill()
        process.wait()
        (lease,) = Lease.objects.all()
    _until(lambda: _sessions(database) == [])
    with connect(database) as other:
        _until(lambda: other.execute(WORK_TABLES).fetchall() == [(0,)])
        (rest,) = other.execute(
            "SELECT expires_at < now() + interval '60 s' FROM leaderboard_lease"
        ).fetchall()
        assert rest == (True,)
        other.execute("UPDATE leaderboard_lease SET expires_at = now() - interval '1 s'")
    assert Verification.objects.get().agrees is None
    assert verify_season("season").agrees
    assert not Lease.objects.filter(id=lease.id).exists()


def _sessions(database: str) -> list[Any]:
    with connect(database) as connection:
        return connection.execute(SESSIONS).fetchall()


def _until(happens: Any) -> None:
    deadline = time.monotonic() + 3 * PATIENCE
    while not happens():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
