"""purge_versions: what is let go of, when, and what stays."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import psycopg
import pytest

from config import db
from config.errors import CursorExpired
from leaderboard.models import Layout, Lease, Version
from leaderboard.operations import purge_versions
from leaderboard.queries import Position, changes, published
from leaderboard.queries.changes import end_of
from leaderboard.rules import ordered
from scores.models import Ledger, Tally, Undo
from scores.operations.set_profiles import set_profiles
from scores.rules import Profile
from seasons.models import Season
from tests.factories import apply, event, make_season, publish, unused_slug
from tests.leaderboard.agreement import require_board, require_gone


def season_of(slug: str) -> Season:
    return Season.objects.get(slug=slug)


def purge(slug: str, **seconds: float) -> list[int]:
    return purge_versions(season_of(slug).id, **seconds)


def make_versions(slug: str, last: int) -> None:
    """Publish versions 2 to `last`, in each of which ann has as many points."""
    for number in range((published(slug).number or 1) + 1, last + 1):
        apply(slug, event("ann", number, number))
        assert publish(slug).version == number


def age(superuser: psycopg.Connection[Any], slug: str, numbers: list[int], seconds: int) -> None:
    """Let some versions have been replaced so long ago."""
    superuser.execute(
        "UPDATE leaderboard_version SET replaced_at = clock_timestamp() - %s * interval '1 second'"
        " WHERE season_id = %s AND number = ANY(%s)",
        [seconds, season_of(slug).id, numbers],
    )


def kept(slug: str) -> list[int]:
    versions = Version.objects.filter(season_id=season_of(slug).id).order_by("number")
    return list(versions.values_list("number", flat=True))


def lease(slug: str, version: int, hours: int) -> None:
    Lease.objects.create(
        season_id=season_of(slug).id,
        version=version,
        holder="a proof",
        expires_at=datetime.now(UTC) + timedelta(hours=hours),
    )


def test_a_version_can_be_read_for_two_minutes_after_it_was_replaced(
    slug: str, superuser: psycopg.Connection[Any]
) -> None:
    make_versions(slug, 4)
    age(superuser, slug, [1, 2], 121)
    age(superuser, slug, [3], 115)
    assert purge(slug) == [1, 2]
    require_gone(published(slug), 2, "ann")
    require_board(published(slug), 3, {"ann": 3}, [], [2])


def test_the_current_version_stays_however_old_it_is(slug: str) -> None:
    make_versions(slug, 3)
    assert purge(slug, version_kept_seconds=0) == [1, 2]
    assert purge(slug, version_kept_seconds=0) == []
    require_board(published(slug), 3, {"ann": 3}, [], [2])


def test_a_bounded_number_of_versions_goes_at_once_the_oldest_first(slug: str) -> None:
    make_versions(slug, 24)
    assert purge(slug, version_kept_seconds=0) == list(range(1, 21))
    assert purge(slug, version_kept_seconds=0) == [21, 22, 23]


def test_a_version_that_somebody_reads_by_a_lease_stays_whole(slug: str) -> None:
    make_versions(slug, 5)
    lease(slug, 2, hours=1)
    lease(slug, 3, hours=-1)
    assert purge(slug, version_kept_seconds=0) == [1, 3, 4]
    require_board(published(slug), 2, {"ann": 2}, [], [2])
    make_versions(slug, 7)
    assert purge(slug, version_kept_seconds=0) == [5, 6]
    require_board(published(slug), 2, {"ann": 2}, [], [2])


@pytest.mark.parametrize("kind", ["final", "corrected"])
def test_final_and_corrected_versions_stay_for_ever(
    slug: str, superuser: psycopg.Connection[Any], kind: str
) -> None:
    make_versions(slug, 4)
    superuser.execute(
        "UPDATE leaderboard_version SET kind = %s WHERE season_id = %s AND number = 3",
        [kind, season_of(slug).id],
    )
    assert purge(slug, version_kept_seconds=0) == [1, 2]
    assert kept(slug) == [3, 4]
    require_board(published(slug), 3, {"ann": 3}, [], [2])


def test_undo_and_tallies_go_with_the_versions_that_needed_them(slug: str) -> None:
    make_versions(slug, 6)
    namespace = season_of(slug).namespace
    assert Undo.objects.filter(namespace=namespace).count() == 4
    assert Tally.objects.filter(namespace=namespace).count() == 5
    purge(slug, version_kept_seconds=0)
    assert not Undo.objects.filter(namespace=namespace).exists()
    assert not Tally.objects.filter(namespace=namespace).exists()


def test_the_tally_of_what_is_not_published_stays(slug: str) -> None:
    make_versions(slug, 3)
    apply(slug, event("ann", 9, 9))
    purge(slug, version_kept_seconds=0)
    assert Tally.objects.filter(namespace=season_of(slug).namespace).count() == 1
    assert publish(slug).outcome == "published"


def test_the_ledger_stays(slug: str) -> None:
    make_versions(slug, 6)
    purge(slug, version_kept_seconds=0, changes_kept_seconds=0)
    assert Ledger.objects.filter(namespace=season_of(slug).namespace).count() == 5


def test_changes_are_told_after_the_versions_have_gone(slug: str) -> None:
    make_versions(slug, 5)
    purge(slug, version_kept_seconds=0)
    told = changes(published(slug), Position(), limit=10)
    assert [row.version for row in told.rows] == [2, 3, 4, 5]


def test_changes_that_are_told_no_more_are_said_to_be_gone(slug: str) -> None:
    make_versions(slug, 5)
    early, middle = changes(published(slug), Position(), limit=1).next, end_of(3)
    purge(slug, version_kept_seconds=0, changes_kept_seconds=0)
    for position in (Position(), early, middle):
        with pytest.raises(CursorExpired):
            changes(published(slug), position, limit=10)
    position = end_of(5)
    assert changes(published(slug), position, limit=10).rows == []
    make_versions(slug, 6)
    told = changes(published(slug), position, limit=10)
    assert [(row.old_score, row.new_score, row.version) for row in told.rows] == [(5, 6, 6)]


def test_another_season_keeps_its_versions(slug: str, shared: str) -> None:
    other = make_season(unused_slug()).slug
    make_versions(slug, 3)
    make_versions(other, 3)
    purge(slug, version_kept_seconds=0)
    assert kept(other) == [1, 2, 3]
    require_board(published(other), 2, {"ann": 2}, [], [2])


def test_what_is_kept_does_not_grow_with_what_was_published(slug: str) -> None:
    sizes = []
    for _ in range(3):
        make_versions(slug, (published(slug).number or 1) + 15)
        purge(slug, version_kept_seconds=0)
        sizes.append(_rows_kept(slug))
    assert sizes[0] == sizes[1] == sizes[2]


@pytest.fixture
def crowded() -> Iterator[None]:
    """Let every second player of a bucket be one too many."""
    with (
        patch.object(ordered, "SPLIT_ABOVE", 1),
        patch.object(ordered, "BUCKET_SIZE", 1),
        patch("leaderboard.queries.ordered.BUCKET_SIZE", 1),
    ):
        yield


def grow(slug: str, last: int) -> None:
    """Publish versions 2 to `last`, for each of which the boundaries are cut anew."""
    for number in range((published(slug).number or 1) + 1, last + 1):
        players = [f"{slug}-{number}-{turn}" for turn in range(2)]
        apply(slug, *(event(player, number) for player in players))
        assert publish(slug).version == number
    layouts = Layout.objects.filter(season_id=season_of(slug).id)
    assert len(layouts) == len({layout.boundary_sets[0] for layout in layouts})


def sets_kept(slug: str) -> set[int]:
    """Return the sets of boundaries of a season, of which each layout has its own."""
    layouts = Layout.objects.filter(season_id=season_of(slug).id)
    sets = {number for layout in layouts for number in layout.boundary_sets if number}
    stored = db.Statement("SELECT DISTINCT boundary_set FROM leaderboard_boundary")
    assert sets <= set(db.fetch_all(int, stored))
    return sets


@pytest.mark.usefixtures("crowded")
def test_layouts_and_their_boundaries_go_with_the_last_version_that_named_them(
    shared: str,
) -> None:
    slug, other = (make_season(unused_slug(), tie_rule="earliest").slug for _ in range(2))
    grow(slug, 5)
    grow(other, 3)
    before, beside = sets_kept(slug), sets_kept(other)
    current = published(slug).boundary_sets
    assert current is not None
    lease(slug, 3, hours=1)
    assert purge(slug, version_kept_seconds=0) == [1, 2, 4]
    kept_sets = sets_kept(slug)
    assert len(before) == 5
    assert len(kept_sets) == 2
    assert set(current) < kept_sets < before
    assert sets_kept(other) == beside
    gone = db.Statement(
        "SELECT count(*) FROM leaderboard_boundary WHERE boundary_set = ANY(%(sets)s)"
    )
    assert db.fetch_one(int, gone, sets=list(before - kept_sets)) == 0


@pytest.mark.usefixtures("crowded")
def test_a_layout_stays_while_any_namespace_has_a_version_with_it(
    shared: str, superuser: psycopg.Connection[Any]
) -> None:
    slug = make_season(unused_slug(), tie_rule="earliest").slug
    grow(slug, 4)
    before = sets_kept(slug)
    superuser.execute(
        "INSERT INTO leaderboard_version ("
        " season_id, number, layout_id, first_epoch, ledger_rows, sealed_at, published_at,"
        " namespace, members, score_sums, ledger_hash)"
        " SELECT season_id, number, layout_id, first_epoch, ledger_rows, sealed_at, published_at,"
        " -namespace, members, score_sums, ledger_hash"
        " FROM leaderboard_version WHERE season_id = %s AND number = 2",
        [season_of(slug).id],
    )
    purge(slug, version_kept_seconds=0)
    assert len(before) == 4
    assert len(sets_kept(slug)) == 2


@pytest.mark.usefixtures("crowded")
def test_boundaries_stay_while_another_layout_has_them(shared: str) -> None:
    slug = make_season(unused_slug(), regions=("EU", "NA")).slug
    set_profiles([Profile(f"{slug}-{turn}", "EU", 1) for turn in range(3)])
    apply(slug, *(event(f"{slug}-{turn}", 5 + turn) for turn in range(3)))
    publish(slug)
    counted, of_eu, of_na = published(slug).boundary_sets or []
    purge(slug, version_kept_seconds=0)
    assert counted == 0
    assert sets_kept(slug) == {of_eu, of_na}
    assert Layout.objects.filter(season_id=season_of(slug).id).count() == 1


def _rows_kept(slug: str) -> list[int]:
    season = season_of(slug)
    counted = db.Statement(
        "SELECT count(*) FROM leaderboard_bucket WHERE namespace = %(space)s"
        " UNION ALL SELECT count(*) FROM leaderboard_prefix WHERE namespace = %(space)s"
        " UNION ALL SELECT count(*) FROM leaderboard_top WHERE namespace = %(space)s"
        " UNION ALL SELECT count(*) FROM leaderboard_version WHERE namespace = %(space)s"
        " UNION ALL SELECT count(*) FROM seasons_seal WHERE season_id = %(season)s"
        " UNION ALL SELECT count(*) FROM scores_undo WHERE namespace = %(space)s"
        " UNION ALL SELECT count(*) FROM scores_tally WHERE namespace = %(space)s"
    )
    return db.fetch_all(int, counted, space=season.namespace, season=season.id)
