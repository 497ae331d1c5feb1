"""relayout_board: other buckets for a board, from the next version on, and no other answer."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import psycopg
import pytest

from config.errors import RegionNotFound, SeasonNotFound, Unavailable
from leaderboard import rules
from leaderboard.models import Layout, Lease, Stop, Version
from leaderboard.operations import verify_season
from leaderboard.operations.rebuild import rebuild_season
from leaderboard.operations.relayout import (
    CannotRelayout,
    Relaid,
    begun_at,
    evened_out,
    publishing,
    relayout_board,
    with_bucket_cut,
)
from leaderboard.operations.relayout.wishes import Wish
from leaderboard.queries import published
from leaderboard.queries.board_counts import board_counts
from leaderboard.queries.ordered import boundaries_of
from leaderboard.rules import LOWEST_TIE_KEY, Boundaries, Buckets, Key, ordered
from leaderboard.steps import relaid as relaid_steps
from leaderboard.steps.check_failed import CheckFailed
from seasons.operations import seal_epoch
from tests.factories import apply, event, make_final, make_season, publish, unused_slug
from tests.leaderboard.kinds import KINDS, NOON, Model, play, require_version, small_buckets
from tests.leaderboard.test_ordered_rules import begins_of
from tests.races.harness import stopped, uncommitted


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, shared: str) -> Model:
    """Return a season of a kind in which some rounds were played and published, and one not."""
    return play(request.param)


@pytest.fixture
def slug(shared: str) -> str:
    """Return a season with one ordered board, on which twenty players stand."""
    slug = make_season(unused_slug(), tie_rule="earliest", score_max=100).slug
    apply(slug, *(event(f"{slug}-{number:02}", 3 * number) for number in range(20)))
    publish(slug)
    return slug


def buckets_of(slug: str, region: str | None = None) -> Buckets:
    season = published(slug)
    counted = board_counts(season, version=season.current, board=season.board_of(region))
    assert counted is not None
    assert isinstance(counted.found_by, Boundaries)
    return Buckets(counted.found_by, counted.histogram.members)


def begins(slug: str, region: str | None = None) -> list[Key]:
    return begins_of(buckets_of(slug, region).boundaries)


def season_id(slug: str) -> int:
    return published(slug).season_id


def fullest(slug: str, region: str | None = None) -> int:
    """Return the number of the fullest bucket of those with more than one key."""
    boundaries, members = buckets_of(slug, region)
    return int(np.argmax(np.where(rules.of_one_key(boundaries), -1, members)))


def cut_fullest(slug: str, region: str | None) -> Wish | None:
    bucket = fullest(slug, region)
    return with_bucket_cut(bucket) if buckets_of(slug, region).members[bucket] > 3 else None


def shown_keys(model: Model, region: str | None) -> list[Key]:
    """Return the keys that players have at the last version, where no bucket begins."""
    merit = model.season.scores.turned
    board = model.board(max(model.versions), region)
    keys = {(merit(row.score), row.tie_key) for row in board}
    return sorted(keys - set(begins(model.season.slug, region)))


@pytest.fixture
def uneven(slug: str) -> Iterator[str]:
    """Return the season with one bucket of twelve players and one of eight, where that is few."""
    with patch.object(ordered, "SPLIT_ABOVE", 20):
        relayout_board(slug, begun_at([(35, LOWEST_TIE_KEY)]))
        assert buckets_of(slug).members.tolist() == [12, 8]
        yield slug


def at_the_lock(_: int, statement: str) -> bool:
    return statement == publishing.LOCK_PUBLISHER


def relaid(model: Model, wish: Wish, region: str | None) -> Relaid:
    """Relay a board and note the version, which includes what was played."""
    done = relayout_board(model.season.slug, wish, region=region)
    assert done.outcome == "published"
    assert done.version is not None
    model.versions.append(done.version)
    return done


def ordered_regions(model: Model) -> list[str | None]:
    season = published(model.season.slug)
    return [
        region
        for region in (None, *season.regions)
        if not season.is_counted(season.board_of(region))
    ]


def refused(slug: str, wish: Wish, reason: str, **options: Any) -> None:
    """Require that a wish is refused for a reason and that nothing is changed by it."""
    before = published(slug)
    layouts = Layout.objects.filter(season_id=before.season_id).count()
    with pytest.raises((CannotRelayout, Unavailable, CheckFailed), match=reason):
        relayout_board(slug, wish, **options)
    assert published(slug).number == before.number
    assert Layout.objects.filter(season_id=before.season_id).count() == layouts
    assert not Lease.objects.filter(season_id=before.season_id).exists()


def test_every_version_is_right_whatever_was_wished_for(model: Model) -> None:
    slug = model.season.slug
    for region in ordered_regions(model):
        told = shown_keys(model, region)[1::3]
        for wish in filter(None, (cut_fullest(slug, region), begun_at(told), evened_out)):
            pinned = max(model.versions)
            version = relaid(model, wish, region).version
            assert version is not None
            require_version(model, pinned)
            require_version(model, version)
            model.play()
    for version in model.versions:
        require_version(model, version)


def test_only_the_board_asked_for_gets_other_buckets(shared: str) -> None:
    played = play("earliest of regions")
    played.publish()
    before = published(played.season.slug)
    relaid(played, evened_out, "NA")
    after = published(played.season.slug)
    assert before.boundary_sets is not None
    assert after.boundary_sets is not None
    changed = [
        old != new for old, new in zip(before.boundary_sets, after.boundary_sets, strict=True)
    ]
    assert changed == [False, False, True]


def test_versions_keep_the_layout_that_they_were_published_with(slug: str) -> None:
    before, number = begins(slug), published(slug).current
    layouts = dict(
        Version.objects.filter(season_id=season_id(slug)).values_list("number", "layout_id")
    )
    relayout_board(slug, evened_out)
    assert begins(slug) != before
    kept = Version.objects.filter(season_id=season_id(slug), number__lte=number)
    assert dict(kept.values_list("number", "layout_id")) == layouts
    (old,) = Layout.objects.get(id=layouts[number]).boundary_sets
    assert begins_of(boundaries_of(old)) == before


def test_a_version_is_published_even_if_no_result_came_in(slug: str) -> None:
    before = published(slug).current
    done = relayout_board(slug, evened_out)
    assert done.version == published(slug).current == before + 1
    assert publish(slug).outcome == "unchanged"


def test_what_was_not_published_yet_is_in_the_first_version_with_the_new_buckets(
    slug: str,
) -> None:
    apply(slug, event(f"{slug}-new", 50))
    done = relayout_board(slug, evened_out)
    assert published(slug).members == [21]
    assert done.compared is not None
    assert (done.compared.members, done.compared.ranks) == (21, 21)
    assert publish(slug).outcome == "unchanged"


def test_evened_out_buckets_have_as_many_players_each(slug: str) -> None:
    done = relayout_board(slug, evened_out)
    found = buckets_of(slug)
    assert found.members.tolist() == [2] * 10
    assert done.after == rules.layout_figures(found)
    assert (done.after.buckets, done.after.fullest, done.after.most_counted) == (10, 2, 1)


def test_a_bucket_is_cut_in_four_and_the_others_stay(uneven: str) -> None:
    relayout_board(uneven, with_bucket_cut(0))
    assert buckets_of(uneven).members.tolist() == [3, 3, 3, 3, 8]
    assert (35, LOWEST_TIE_KEY) in begins(uneven)


def test_buckets_begin_where_they_are_told(slug: str) -> None:
    told = [(50, LOWEST_TIE_KEY), (48, 7), (38, LOWEST_TIE_KEY), (27, LOWEST_TIE_KEY)]
    with patch.object(ordered, "SPLIT_ABOVE", 20):
        relayout_board(slug, begun_at(told))
        assert begins(slug) == [*reversed(told), (100, LOWEST_TIE_KEY)]
        assert buckets_of(slug).members.tolist() == [10, 3, 4, 0, 3]


def test_buckets_that_would_be_crowded_where_they_are_told_are_cut(slug: str) -> None:
    relayout_board(slug, begun_at([(50, LOWEST_TIE_KEY)]))
    assert (50, LOWEST_TIE_KEY) in begins(slug)
    assert buckets_of(slug).members.max() <= 5


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        (with_bucket_cut(-1), "the buckets 0 to"),
        (with_bucket_cut(10_000), "the buckets 0 to"),
        (with_bucket_cut(0), "too few players to be cut: 2"),
    ],
)
def test_a_bucket_that_cannot_be_cut_is_refused(slug: str, wish: Wish, reason: str) -> None:
    relayout_board(slug, evened_out)
    refused(slug, wish, reason)


def test_a_bucket_of_one_key_is_not_cut(shared: str) -> None:
    slug = make_season(unused_slug(), score_max=1_000_000_000).slug
    apply(slug, *(event(f"{slug}-{number}", 7) for number in range(6)))
    publish(slug)
    bucket = int(np.argmax(buckets_of(slug).members))
    refused(slug, with_bucket_cut(bucket), "one key's alone")


def test_buckets_that_begin_there_already_are_refused(slug: str) -> None:
    relayout_board(slug, evened_out)
    refused(slug, begun_at(begins(slug)), "begin there already")


def test_even_buckets_are_not_worth_it(slug: str) -> None:
    relayout_board(slug, evened_out)
    before = published(slug).current
    done = relayout_board(slug, evened_out, if_worth_it=True)
    assert (done.outcome, done.version) == ("not_worth_it", None)
    assert done.before == done.after
    assert published(slug).current == before


def test_uneven_buckets_are_worth_it(uneven: str) -> None:
    done = relayout_board(uneven, evened_out, if_worth_it=True)
    assert done.outcome == "published"
    assert done.after.most_counted < done.before.most_counted


@pytest.mark.parametrize("wish", [evened_out, with_bucket_cut(0), begun_at([(5, 0)])])
def test_a_board_with_a_count_for_every_score_is_refused(shared: str, wish: Wish) -> None:
    slug = make_season(unused_slug(), regions=("EU",)).slug
    refused(slug, wish, "count for every score")


def test_a_final_season_is_refused(slug: str) -> None:
    make_final(slug)
    refused(slug, evened_out, "is final")


def test_a_season_that_became_final_meanwhile_is_refused(slug: str) -> None:
    with stopped(lambda: relayout_board(slug, evened_out), at_the_lock) as held:
        make_final(slug)
        assert "is final" in str(held.go_on())
    assert published(slug).number == 2


def test_a_stopped_season_is_refused(slug: str) -> None:
    Stop.objects.create(
        season_id=season_id(slug), failed_check="a check", detail="", stopped_at=NOON
    )
    refused(slug, evened_out, "stopped by a failed check")


def test_an_unknown_season_and_an_unknown_region_are_refused(slug: str) -> None:
    with pytest.raises(SeasonNotFound):
        relayout_board("nowhere", evened_out)
    with pytest.raises(RegionNotFound):
        relayout_board(slug, evened_out, region="XX")


def test_while_publications_are_in_the_way_it_waits_a_little_and_is_refused(slug: str) -> None:
    apply(slug, event(f"{slug}-new", 50))
    with (
        patch.object(publishing, "PAUSE_SECONDS", 0.01),
        uncommitted(lambda: publish(slug)) as publication,
    ):
        refused(slug, evened_out, "in the way all the time")
        assert publication.go_on().outcome == "published"
    relayout_board(slug, evened_out)
    assert published(slug).members == [21]


def test_results_and_versions_of_meanwhile_are_in_it(slug: str) -> None:
    with stopped(lambda: relayout_board(slug, evened_out), at_the_lock) as held:
        apply(slug, *(event(f"{slug}-more-{number}", 90 + number) for number in range(10)))
        assert publish(slug).outcome == "published"
        apply(slug, event(f"{slug}-00", 100, 2))
        done = held.go_on()
    assert isinstance(done, Relaid)
    assert published(slug).members == [30]
    assert done.compared is not None
    assert done.compared.ranks == 30
    assert buckets_of(slug).members.max() <= 5
    assert publish(slug).outcome == "unchanged"


def test_a_version_of_between_is_in_it_when_more_was_sealed_already(slug: str) -> None:
    with stopped(lambda: relayout_board(slug, evened_out), at_the_lock) as held:
        apply(slug, *(event(f"{slug}-more-{number}", 90 + number) for number in range(4)))
        assert publish(slug).outcome == "published"
        apply(slug, event(f"{slug}-late", 50))
        seal_epoch(season_id(slug))
        done = held.go_on()
    assert isinstance(done, Relaid)
    assert published(slug).members == [25]


def test_boards_that_a_rebuild_replaced_meanwhile_are_refused(slug: str) -> None:
    with stopped(lambda: relayout_board(slug, evened_out), at_the_lock) as held:
        rebuild_season(slug)
        assert "A rebuild replaced the boards" in str(held.go_on())
    assert published(slug).number == 2
    relayout_board(slug, evened_out)
    assert buckets_of(slug).members.tolist() == [2] * 10


def test_boards_with_other_buckets_are_rebuilt_and_proved(slug: str) -> None:
    relayout_board(slug, evened_out)
    rebuild_season(slug)
    assert buckets_of(slug).members.tolist() == [2] * 10
    assert verify_season(slug).agrees


def test_of_two_at_once_the_second_finds_other_buckets_and_is_refused(uneven: str) -> None:
    wish = with_bucket_cut(0)
    with stopped(lambda: relayout_board(uneven, wish), at_the_lock) as second:
        relayout_board(uneven, evened_out)
        before = published(uneven).number
        assert "other buckets meanwhile" in str(second.go_on())
    assert published(uneven).number == before


@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("DELETE FROM scores_best WHERE player_id = %s || '-07'", "bucket_against_bests"),
        ("UPDATE scores_best SET score = 1 WHERE player_id = %s || '-19'", "layout_ranks"),
    ],
)
def test_bests_that_are_damaged_are_seen_and_nothing_is_published_or_stopped(
    slug: str, superuser: psycopg.Connection[Any], damage: str, check: str
) -> None:
    superuser.execute(damage, [slug])
    refused(slug, evened_out, check)
    assert not Stop.objects.filter(season_id=season_id(slug)).exists()


DAMAGE_MEANWHILE = {
    "layout_counts": """
        UPDATE leaderboard_prefix
        SET above = overlay(above PLACING 1::bit(32) FROM (length(above) - 31))
        WHERE namespace = %(namespace)s AND version = %(version)s
    """,
    "layout_membership": """
        DELETE FROM scores_ledger WHERE namespace = %(namespace)s AND epoch = %(version)s
    """,
    "top_ranks": """
        UPDATE scores_best SET score = 1
        WHERE namespace = %(namespace)s AND player_id = %(slug)s || '-19'
    """,
}


@pytest.mark.parametrize("check", DAMAGE_MEANWHILE)
def test_what_is_damaged_meanwhile_is_seen_and_nothing_is_published_or_stopped(
    slug: str, superuser: psycopg.Connection[Any], check: str
) -> None:
    with stopped(lambda: relayout_board(slug, evened_out), at_the_lock) as held:
        apply(slug, event(f"{slug}-new", 50))
        publish(slug)
        season, before = published(slug), begins(slug)
        asked = {"namespace": season.namespace, "version": season.current, "slug": slug}
        superuser.execute(DAMAGE_MEANWHILE[check], asked)
        failure = held.go_on()
    assert isinstance(failure, CheckFailed)
    assert failure.check == check
    assert (published(slug).number, begins(slug)) == (season.number, before)
    assert not Stop.objects.filter(season_id=season.season_id).exists()


@pytest.fixture
def long_board(shared: str) -> str:
    """Return a season whose one bucket has two hundred players."""
    slug = make_season(unused_slug(), tie_rule="earliest", score_max=1_000).slug
    apply(slug, *(event(f"{slug}-{number:03}", number) for number in range(200)))
    with patch.object(ordered, "SPLIT_ABOVE", 200):
        publish(slug)
    return slug


@pytest.mark.parametrize(
    ("lost", "buckets", "check"),
    [("-000", relaid_steps.BUCKETS_COMPARED, "bucket_against_bests"), ("-051", 0, "layout_ranks")],
)
def test_bests_that_are_lost_meanwhile_are_missed_in_the_new_buckets_or_by_ranks(
    long_board: str, superuser: psycopg.Connection[Any], lost: str, buckets: int, check: str
) -> None:
    with (
        patch.object(relaid_steps, "BUCKETS_COMPARED", buckets),
        stopped(lambda: relayout_board(long_board, evened_out), at_the_lock) as held,
    ):
        superuser.execute("DELETE FROM scores_best WHERE player_id = %s", [long_board + lost])
        failure = held.go_on()
    assert isinstance(failure, CheckFailed)
    assert failure.check == check
    assert published(long_board).number == 2
