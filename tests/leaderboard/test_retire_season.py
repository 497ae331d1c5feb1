"""A season that was kept long enough is refused, dropped, and remembered."""

from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db.models import F

from config import db
from config.celery import app
from config.errors import SeasonRetired, Unavailable, WrongState
from leaderboard import tasks
from leaderboard.models import (
    Candidate,
    Current,
    Layout,
    Rebuild,
    Results,
    Retirement,
    Settlement,
    Version,
)
from leaderboard.operations import finalize_season, purge_versions, seal_and_publish
from leaderboard.operations.rebuild import rebuild_season
from leaderboard.operations.retire_season import drop_retired, retire_season
from leaderboard.queries.live_seasons import (
    live_seasons,
    seasons_to_finalize,
    seasons_to_purge,
)
from leaderboard.queries.readiness import degraded_seasons, readiness
from leaderboard.queries.retirements import seasons_to_retire
from scores.models import Tally
from scores.operations import apply_events, apply_to_series, set_profiles
from scores.rules import Profile
from seasons.models import Seal, Season, Series, Transition
from seasons.operations import close_season
from seasons.queries.due_transitions import seasons_with_due_transitions
from tests.api import correction, get, post, problem, result, token
from tests.factories import apply, board, correct, event, make_season
from tests.own_database import connect
from tests.races.harness import blocked, outcome, stopped, together, uncommitted
from tests.series import ALL_TIME, DAILY, make_series, seasons_of

DAY = timedelta(days=1)
REASON = {"actor": "eve", "reason": "over"}
CANCEL = b"""
SELECT pg_cancel_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND query LIKE 'ALTER TABLE % DETACH %'
AND pid <> pg_backend_pid()
"""
TABLES = ("scores_ledger", "scores_best", "scores_undo", "leaderboard_bucket")


def make_over(slug: str) -> Season:
    """Let a season be final now, with results of two players."""
    board(slug, ann=10, bob=20)
    close_season(slug, **REASON)
    assert finalize_season(slug, **REASON).outcome == "final"
    return Season.objects.get(slug=slug)


@pytest.fixture
def season(shared: str) -> Season:
    """Give the test a final season of a series that keeps its seasons for no time."""
    drop_what_others_left()
    series = make_series(kept_days=0, grace_seconds=0, windows=(DAILY, ALL_TIME))
    return make_over(seasons_of(series)[0].slug)


def drop_what_others_left() -> None:
    """Drop what other tests of the module retired, or broke off."""
    Retirement.objects.filter(dropped_at=None).update(held_until=None)
    while drop_retired() is not None:
        continue


def series_of(season: Season) -> Series:
    return Series.objects.get(window_rules__windows__season=season)


def tables(namespace: int) -> set[str]:
    """Return which tables of a namespace there are."""
    found = db.Statement("SELECT to_regclass(%(name)s::text) IS NOT NULL")
    return {
        table
        for table in TABLES
        if db.fetch_one(bool, found, name=f"{table}_n{namespace}") is True
    }


def test_a_season_is_due_when_it_was_kept_as_long_as_the_rule_says(season: Season) -> None:
    assert season.id in seasons_to_retire()
    for kept_days, is_due in ((None, False), (1, False), (0, True)):
        Series.objects.filter(id=series_of(season).id).update(kept_days=kept_days)
        assert (season.id in seasons_to_retire()) == is_due
    Series.objects.filter(id=series_of(season).id).update(kept_days=1)
    earlier = {"starts_at": F("starts_at") - DAY, "cutoff_at": F("cutoff_at") - DAY}
    Season.objects.filter(id=season.id).update(**earlier)
    assert season.id in seasons_to_retire()


def test_what_is_not_final_or_of_no_series_is_never_due(shared: str) -> None:
    series = make_series(kept_days=0, grace_seconds=0)
    today = seasons_of(series)[0]
    close_season(today.slug, **REASON)
    alone = make_over(make_season("alone", grace_seconds=0).slug)
    assert not {today.id, alone.id} & set(seasons_to_retire())


def test_one_that_takes_results_cannot_be_retired(season: Season) -> None:
    still_open = Season.objects.get(slug=f"{series_of(season).slug}-all-time")
    with pytest.raises(WrongState, match="open"):
        retire_season(still_open.id)
    close_season(still_open.slug, **REASON)
    with pytest.raises(WrongState, match="closing"):
        retire_season(still_open.id)


def test_a_publication_that_comes_too_late_for_it_does_nothing(season: Season) -> None:
    retire_season(season.id)
    assert drop_retired() == season.slug
    with pytest.raises(SeasonRetired):
        seal_and_publish(season.id)
    tasks.publish_season(season.id)


def test_its_tables_are_dropped_and_what_it_was_is_remembered(season: Season) -> None:
    final = season.final_version
    checksum = Results.objects.get(season=season).sha256
    retirement = retire_season(season.id)
    assert tables(season.namespace) == set(TABLES)
    assert drop_retired() == season.slug
    assert tables(season.namespace) == set()
    assert drop_retired() is None
    retirement.refresh_from_db()
    assert (retirement.final_version, retirement.players, retirement.ledger_rows) == (final, 2, 2)
    assert (retirement.sha256, retirement.namespaces) == (checksum, [season.namespace])
    assert retirement.dropped_at is not None
    assert "as long as the rule" in retirement.reason
    assert Season.objects.get(id=season.id).final_version == final
    assert Transition.objects.filter(season=season).count() == 3
    assert Candidate.objects.filter(season=season).exists()


def test_nothing_of_it_stays_in_tables_that_all_share(season: Season) -> None:
    retire_season(season.id)
    assert drop_retired() == season.slug
    assert not Version.objects.filter(namespace=season.namespace).exists()
    assert not Tally.objects.filter(namespace=season.namespace).exists()
    assert not Current.objects.filter(season_id=season.id).exists()
    assert not Layout.objects.filter(season_id=season.id).exists()
    assert not Seal.objects.filter(season_id=season.id).exists()
    counts = """
        SELECT
            (SELECT count(*) FROM leaderboard_prefix WHERE namespace = %(namespace)s)
            + (SELECT count(*) FROM leaderboard_top WHERE namespace = %(namespace)s)
            + (SELECT count(*) FROM leaderboard_publication WHERE season_id = %(season_id)s)
    """
    literal = db.Statement(counts).literal(namespace=season.namespace, season_id=season.id)
    assert db.fetch_one(int, literal) == 0


def test_the_boundaries_of_its_regions_are_forgotten_and_no_others(shared: str) -> None:
    drop_what_others_left()
    before = boundaries()
    scheduled = seasons_of(make_series(regions=("eu", "na"), starts_at=soon()))[0]
    assert boundaries() > before
    retire_season(scheduled.id, reason="not wanted")
    assert drop_retired() == scheduled.slug
    assert boundaries() == before


def boundaries() -> int:
    return db.fetch_one(int, db.Statement("SELECT count(*) FROM leaderboard_boundary")) or 0


def soon() -> datetime:
    return datetime.now(UTC) + DAY


def test_it_is_retired_once(season: Season) -> None:
    retire_season(season.id)
    with pytest.raises(SeasonRetired):
        retire_season(season.id)
    assert season.id not in seasons_to_retire()


def test_nobody_looks_at_it_any_more(season: Season) -> None:
    seasons, _ = readiness()
    retire_season(season.id)
    drop_retired()
    assert season.id not in {*live_seasons(), *seasons_to_finalize()}
    assert season.id not in seasons_to_purge(final=True)
    assert season.id not in seasons_with_due_transitions()
    assert season.slug not in {one.slug for one in degraded_seasons()}
    assert readiness().seasons == seasons - 1
    tasks.purge_seasons(final=True)
    tasks.take_checksums()


def test_one_that_never_began_is_not_opened_or_closed_by_the_clock(shared: str) -> None:
    series = make_series(starts_at=soon(), regions=("eu",))
    scheduled = seasons_of(series)[0]
    retire_season(scheduled.id, reason="not wanted")
    drop_retired()
    past = {"starts_at": soon() - 3 * DAY, "cutoff_at": soon() - 2 * DAY}
    Season.objects.filter(id=scheduled.id).update(**past)
    assert scheduled.id not in {*live_seasons(), *seasons_to_finalize()}
    assert scheduled.id not in seasons_with_due_transitions()
    assert set_profiles([Profile("ann", "eu", 1)])[0].outcome == "stored"


def test_every_route_says_that_it_is_gone(database: str) -> None:
    series = make_series(slug="ladder", kept_days=0, grace_seconds=0, windows=(DAILY, ALL_TIME))
    slug = make_over(seasons_of(series)[0].slug).slug
    retire_season(Season.objects.get(slug=slug).id)
    scopes = ("scores:apply", "scores:correct", "changes:read", "results:read",
              "settlements:write")  # fmt: skip
    bearer = token(*scopes)
    public, internal = f"/v1/seasons/{slug}", f"/internal/v1/seasons/{slug}"
    allowed = {"authorization": f"Bearer {bearer}"}
    settlement = {"settlement_id": "s", "version": 1, "checksum": "0" * 64}
    for dropped in (False, True):
        answers = [
            get(public),
            *(get(f"{public}/leaderboard/{board}")
              for board in ("top", "page", "distribution", "rank-of?score=1")),
            *(get(f"{public}/players/ann/{route}") for route in ("rank", "neighbors", "friends")),
            post(f"{public}/leaderboard/lookup", {"player_ids": ["ann"]}),
            *(get(f"{internal}/{route}", **allowed) for route in ("changes", "results", "held")),
            post(f"{internal}/scores:apply", result(), bearer),
            post(f"{internal}/corrections", correction(), bearer),
            post(f"{internal}/settlements", settlement, bearer),
        ]  # fmt: skip
        for answer in answers:
            problem(answer, 410, "season_retired")
        if not dropped:
            assert drop_retired() == slug
    assert slug not in {one["season_id"] for one in get("/v1/seasons").json()["seasons"]}
    (past,) = get("/v1/series/ladder").json()["past"]
    assert (past["season_id"], past["status"]) == (slug, "final")
    assert past["retired_at"] is not None
    assert get("/readyz").status_code == 200


def test_results_for_the_series_pass_it_by(season: Season) -> None:
    retire_season(season.id)
    slug = series_of(season).slug
    completed_at = season.starts_at + timedelta(minutes=1)
    (done,) = apply_to_series(slug, [event("ann", 10, completed_at=completed_at)])
    assert list(done.receipts) == [f"{slug}-all-time"]


def test_what_rebuilds_left_is_dropped_with_it(season: Season) -> None:
    replaced = season.namespace
    rebuild_season(season.slug)
    season.refresh_from_db()
    assert season.namespace != replaced
    retire_season(season.id)
    assert drop_retired() == season.slug
    assert tables(replaced) == tables(season.namespace) == set()
    assert Rebuild.objects.get(season=season).dropped_at is not None
    assert Retirement.objects.get(season=season).namespaces == [replaced, season.namespace]


def test_one_that_is_being_rebuilt_is_not_due(season: Season) -> None:
    rebuild = Rebuild.objects.create(season=season, source="ledger", replaces=season.namespace)
    assert season.id not in seasons_to_retire()
    Rebuild.objects.filter(id=rebuild.id).update(phase="abandoned", dropped_at=soon())
    assert season.id in seasons_to_retire()


def test_reward_runs_stay_on_record(season: Season) -> None:
    Settlement.objects.create(
        season=season, settlement_id="run", version=season.final_version or 0, checksum="x"
    )
    retire_season(season.id)
    drop_retired()
    assert Settlement.objects.filter(season=season).count() == 1


def test_beat_and_the_command_do_it(season: Season) -> None:
    tasks.retire_seasons()
    assert tables(season.namespace) == set()
    schedule = app.conf.beat_schedule["retire"]
    assert schedule["task"] == tasks.retire_seasons.name
    other = make_over(seasons_of(make_series(kept_days=0, grace_seconds=0))[0].slug)
    said = StringIO()
    call_command("retire_seasons", stdout=said)
    assert said.getvalue() == f"Season {other.slug} is dropped.\n"
    call_command("retire_seasons", stdout=StringIO())


def never(sent: list[str], _: int, statement: str) -> bool:
    sent.append(statement)
    return False


def is_statement(wanted: int, number: int, _: str) -> bool:
    return number == wanted


@pytest.mark.race
def test_wherever_it_is_broken_off_the_next_one_goes_on(shared: str) -> None:
    sent: list[str] = []
    drop_what_others_left()
    retire_season(make_retirable().id)
    with (
        pytest.raises(AssertionError, match="never got there"),
        stopped(drop_retired, partial(never, sent)),
    ):
        pass
    assert len(sent) > 20
    for number in range(len(sent)):
        season = make_retirable()
        retire_season(season.id)
        with stopped(drop_retired, partial(is_statement, number)) as held:
            held.fail()
        drop_what_others_left()
        assert tables(season.namespace) == set()
        assert Retirement.objects.get(season=season).dropped_at is not None


def make_retirable() -> Season:
    """Make a scheduled season, which holds as many tables as one that was played."""
    return seasons_of(make_series(starts_at=soon()))[0]


@pytest.mark.race
def test_two_at_once_drop_it_once(season: Season) -> None:
    retire_season(season.id)
    done = together(drop_retired, drop_retired)
    assert sorted(map(str, done)) == sorted(["None", season.slug])


@pytest.mark.race
def test_of_two_that_retire_it_at_once_one_is_told_that_it_is_gone(season: Season) -> None:
    done = together(*[lambda: retire_season(season.id)] * 2)
    assert sorted(type(one).__name__ for one in done) == ["Retirement", "SeasonRetired"]


@pytest.mark.race
def test_it_waits_for_a_correction_that_is_under_way(season: Season) -> None:
    with uncommitted(lambda: correct(season.slug, "ann", 2, corrected_score=1)) as writer:
        retiring = blocked(lambda: retire_season(season.id))
        assert writer.go_on().outcome == "corrected"
    assert isinstance(outcome(retiring), Retirement)


@pytest.mark.race
def test_a_writer_behind_it_is_told_that_it_is_gone(season: Season) -> None:
    with uncommitted(lambda: retire_season(season.id)) as retiring:
        writer = blocked(lambda: correct(season.slug, "ann", 2, corrected_score=1))
        series = blocked(lambda: apply_to_series(series_of(season).slug, [in_it(season)]))
        retiring.go_on()
    assert isinstance(outcome(writer), SeasonRetired)
    (done,) = outcome(series)
    assert season.slug not in done.receipts


def in_it(season: Season) -> Any:
    return event("cid", 10, completed_at=season.starts_at + timedelta(minutes=1))


@pytest.mark.race
def test_while_a_publication_is_under_way_nothing_is_retired(season: Season) -> None:
    correct(season.slug, "ann", 2, corrected_score=1)

    def publishing(_: int, statement: str) -> bool:
        return statement.startswith("INSERT INTO leaderboard_version")

    with stopped(lambda: seal_and_publish(season.id), publishing) as publication:
        with pytest.raises(Unavailable, match="publication"):
            retire_season(season.id)
        assert publication.go_on().outcome == "published"
    assert retire_season(season.id).players == 2


@pytest.mark.race
def test_a_reader_from_before_goes_on_and_makes_it_wait(season: Season, shared: str) -> None:
    retire_season(season.id)
    counted = f"SELECT count(*) FROM scores_ledger WHERE namespace = {season.ledger_namespace}"
    with connect(shared) as reader:
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with reader.transaction():
            assert reader.execute(counted.encode()).fetchall() == [(2,)]
            dropping = blocked(drop_retired)
            assert apply_events(make_season("other").slug, [event("ann", 1)]).receipts
            assert reader.execute(counted.encode()).fetchall() == [(2,)]
    assert outcome(dropping) == season.slug


@pytest.mark.race
def test_a_detachment_that_was_broken_off_is_finished(season: Season, shared: str) -> None:
    retire_season(season.id)
    with connect(shared) as reader, reader.transaction():
        reader.execute(b"SELECT count(*) FROM scores_best")
        dropping = blocked(drop_retired)
        with connect(shared) as other:
            other.execute(CANCEL)
        assert isinstance(outcome(dropping), psycopg.errors.QueryCanceled)
    assert tables(season.namespace) == set(TABLES)
    drop_what_others_left()
    assert tables(season.namespace) == set()


def test_others_are_purged_and_published_as_before(season: Season) -> None:
    other = make_season("another").slug
    apply(other, event("ann", 1))
    retire_season(season.id)
    drop_retired()
    number = seal_and_publish(Season.objects.get(slug=other).id).version
    assert number is not None
    assert purge_versions(Season.objects.get(slug=other).id, version_kept_seconds=-1) == [1]
