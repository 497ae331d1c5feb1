"""purge_versions: what is let go of, when, and what stays."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from config import db
from config.errors import CursorExpired
from leaderboard.models import Lease, Version
from leaderboard.operations import purge_versions
from leaderboard.queries import Position, changes, published
from leaderboard.queries.changes import end_of
from scores.models import Ledger, Tally, Undo
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
