"""publish_version, and seal_and_publish before it: when there is a version, and which."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import psycopg
import pytest

from config import db
from leaderboard.models import Current, Stop, Version
from leaderboard.operations import publish_version, seal_and_publish
from leaderboard.queries import published, top
from leaderboard.rules import gains
from leaderboard.rules.gains import MOST_ENTRIES
from leaderboard.steps.check_failed import CheckFailed
from scores.models import Ledger
from seasons.models import Epoch, Seal, Season
from seasons.operations import seal_epoch
from tests.factories import (
    apply,
    correct,
    event,
    let_time_pass,
    make_season,
    publish,
    settling,
    unused_slug,
)
from tests.leaderboard.agreement import Read, require_board, require_counts, require_ranks, rows
from tests.oracle import Row, Standing, in_order

BUCKETS_WRITTEN = db.Statement(
    "SELECT bucket FROM leaderboard_bucket"
    " WHERE namespace = %(space)s AND version = %(version)s ORDER BY bucket"
)

EARLY = datetime(2020, 1, 1, tzinfo=UTC)


def season_of(slug: str) -> Season:
    return Season.objects.get(slug=slug)


def current(slug: str) -> Current:
    return Current.objects.get(season_id=season_of(slug).id)


def open_epoch(slug: str) -> int:
    return Epoch.objects.get(season_id=season_of(slug).id).open_epoch


def buckets_written(slug: str, version: int) -> list[int]:
    namespace = season_of(slug).namespace
    return db.fetch_all(int, BUCKETS_WRITTEN, space=namespace, version=version)


def test_making_a_season_publishes_its_empty_version(slug: str) -> None:
    season = published(slug)
    assert (season.number, season.members) == (1, [0])
    board = top(season, version=1, limit=100)
    assert board is not None
    assert board.entries == []


def test_what_was_sealed_is_published(slug: str) -> None:
    apply(slug, event("ann", 10), event("bob", 20))
    done = publish(slug)
    assert (done.outcome, done.version, done.changes) == ("published", 2, 2)
    assert published(slug).number == 2


def test_what_was_not_sealed_is_not_published(slug: str) -> None:
    apply(slug, event("ann", 10))
    assert publish_version(season_of(slug).id).outcome == "idle"
    assert published(slug).members == [0]


def test_the_number_stays_and_as_of_moves_when_nothing_was_written(slug: str) -> None:
    before = current(slug)
    done = publish(slug)
    assert (done.outcome, done.version) == ("unchanged", 1)
    after = current(slug)
    assert after.number == before.number
    assert after.as_of > before.as_of
    assert after.through == open_epoch(slug) - 1


def test_events_that_changed_nothing_make_no_version(shared: str) -> None:
    slug = make_season(unused_slug(), starts_at=datetime.now(UTC) - timedelta(hours=1)).slug
    apply(slug, event("ann", 50, 5))
    assert publish(slug).version == 2
    apply(slug, event("ann", 10, 6), event("ann", 90, 4), event("bob", 5, completed_at=EARLY))
    correct(slug, "ann", 7, corrected_score=50)
    correct(slug, "new", 1)
    done = publish(slug)
    assert (done.outcome, done.version, done.changes) == ("unchanged", 2, 0)


def test_changes_that_cancel_each_other_do_make_a_version(slug: str) -> None:
    apply(slug, event("ann", 50))
    publish(slug)
    apply(slug, event("ann", 60, 2))
    correct(slug, "ann", 3, corrected_score=50)
    done = publish(slug)
    assert (done.outcome, done.changes) == ("published", 2)
    assert published(slug).members == [1]


def test_a_version_has_the_number_before_the_open_epoch(slug: str) -> None:
    for minutes in range(1, 4):
        let_time_pass(slug, 60)
        apply(slug, event("ann", minutes, minutes))
        number = publish(slug).version
        assert number == open_epoch(slug) - 1
        assert 599 <= number - 600 * (minutes - 1) < 700


def test_epochs_do_not_go_back_when_the_clock_does(slug: str) -> None:
    let_time_pass(slug, 60)
    seal_epoch(season_of(slug).id)
    before = open_epoch(slug)
    let_time_pass(slug, -3600)
    seal_epoch(season_of(slug).id)
    assert open_epoch(slug) == before + 1


def test_a_receipt_names_the_first_version_that_can_have_the_event(slug: str) -> None:
    let_time_pass(slug, 60)
    publish(slug)
    (receipt,) = apply(slug, event("ann", 10))
    before = published(slug).number
    done = publish(slug)
    assert before is not None
    assert done.version is not None
    assert receipt.visible_in_version is not None
    assert before < receipt.visible_in_version <= done.version


def test_several_sealed_epochs_are_one_version(slug: str) -> None:
    for score in (1, 2, 3):
        apply(slug, event("ann", score, score))
        seal_epoch(season_of(slug).id)
    done = publish_version(season_of(slug).id)
    assert (done.outcome, done.version, done.changes, done.more) == ("published", 4, 3, False)


def test_after_a_stall_a_bounded_number_of_epochs_is_published_at_once(slug: str) -> None:
    for score in range(1, 63):
        apply(slug, event("ann", score, score))
        seal_epoch(season_of(slug).id)
    first = publish_version(season_of(slug).id)
    assert (first.version, first.changes, first.more) == (31, 30, True)
    second = publish_version(season_of(slug).id)
    assert (second.version, second.changes, second.more) == (61, 30, True)
    third = publish_version(season_of(slug).id)
    assert (third.version, third.changes, third.more) == (63, 2, False)


def test_one_beat_catches_up_with_a_stall(slug: str) -> None:
    for score in range(1, 63):
        apply(slug, event("ann", score, score))
        seal_epoch(season_of(slug).id)
    apply(slug, event("ann", 99, 99))
    done = publish(slug)
    assert (done.version, done.more) == (64, False)
    board = top(published(slug), version=64, limit=1)
    assert board is not None
    assert rows(board.entries) == [(1, "ann", 99)]


def test_a_touched_bucket_is_written_if_it_has_no_row_yet(slug: str) -> None:
    apply(slug, event("ann", 0), event("bob", 249), event("cyd", 250), event("dee", 1_000_000))
    assert buckets_written(slug, publish(slug).version or 0) == [0, 1, 4000]
    apply(slug, event("ann", 500, 2))
    assert buckets_written(slug, publish(slug).version or 0) == [2]
    apply(slug, event("bob", 1, 2), event("eve", 251))
    assert buckets_written(slug, publish(slug).version or 0) == []


def test_a_bucket_is_written_anew_once_much_of_it_has_changed(slug: str) -> None:
    scores = range(0, 250, 10)
    apply(slug, event("ann", 249), event("bob", 400))
    publish(slug)
    for number, score in enumerate(scores, 2):
        apply(slug, event(f"player-{score}", score))
        written = buckets_written(slug, publish(slug).version or 0)
        assert written == ([0] if number == MOST_ENTRIES + 1 else [])


def test_a_score_that_many_players_reach_at_once_is_written(shared: str) -> None:
    slug = make_season(unused_slug(), score_max=600).slug
    apply(slug, event("ann", 10), event("bob", 300))
    with settling():
        publish(slug)
    with patch.object(gains, "HIGHEST_GAIN", 4):
        apply(slug, *(event(f"few-{number}", 20) for number in range(4)))
        assert buckets_written(slug, publish(slug).version or 0) == []
        apply(slug, *(event(f"many-{number}", 310) for number in range(5)))
        assert buckets_written(slug, publish(slug).version or 0) == [1]
        apply(slug, event("one-more", 20))
        last = publish(slug).version or 0
        assert buckets_written(slug, last) == [0]
    shown = {"ann": 10, "bob": 300, "one-more": 20}
    shown |= {f"few-{number}": 20 for number in range(4)}
    shown |= {f"many-{number}": 310 for number in range(5)}
    require_board(published(slug), last, shown, ["nobody"], [3])


def test_small_publications_write_few_rows_and_every_version_is_right(shared: str) -> None:
    slug = make_season(unused_slug(), score_max=40 * 250 - 1).slug
    rng, shown = random.Random(1), dict[str, int]()
    boards: dict[int, dict[str, int]] = {}
    for number in range(1, 41):
        changed = {f"player-{rng.randrange(120)}": rng.randrange(40 * 250) for _ in range(20)}
        apply(slug, *(event(player, score, number) for player, score in changed.items()))
        for player, score in changed.items():
            shown[player] = max(score, shown.get(player, 0))
        with patch.object(gains, "MOST_ENTRIES", 8):
            boards[publish(slug).version or 0] = dict(shown)
    written = [len(buckets_written(slug, version)) for version in boards]
    # Each bucket got a row when it was touched first; some were settled since.
    assert 40 < sum(written) < 40 + 2 * len(boards)
    for version, board in boards.items():
        require_counts(published(slug), version, board.values())
        require_ranks(Read(published(slug), version), in_order_of(board), list(board), None)


def in_order_of(board: dict[str, int]) -> list[Row]:
    return in_order({player: Standing(score) for player, score in board.items()}, "desc")


def test_the_top_ends_inside_a_tie(slug: str) -> None:
    best = [event(f"best-{number}", 900) for number in range(99)]
    tied = [event(f"tied-{number}", 800) for number in (3, 1, 2)]
    apply(slug, *best, *tied)
    publish(slug)
    board = top(published(slug), version=2, limit=100)
    assert board is not None
    assert len(board.entries) == 100
    assert rows(board.entries)[-1] == (100, "tied-1", 800)
    assert board.header.members == [102]


def test_a_version_says_what_it_is_made_of(slug: str) -> None:
    apply(slug, event("ann", 10), event("bob", 20), event("bob", 5, 2))
    publish(slug)
    let_time_pass(slug, 60)
    correct(slug, "ann", 2)
    number = publish(slug).version
    first, second = Version.objects.filter(season_id=season_of(slug).id, number__gt=1).order_by(
        "number"
    )
    assert (first.members, first.score_sums, first.ledger_rows) == ([2], [30], 3)
    assert (second.members, second.score_sums, second.ledger_rows) == ([1], [20], 4)
    assert (second.first_epoch, second.number) == (3, number)
    assert first.replaced_at is not None
    assert second.replaced_at is None
    assert second.sealed_at == Seal.objects.get(season_id=first.season_id, epoch=3).sealed_at


def test_everything_accepted_before_as_of_is_included(slug: str) -> None:
    apply(slug, event("ann", 10))
    done = publish(slug)
    apply(slug, event("bob", 10))
    assert done.as_of is not None
    accepted = dict(
        Ledger.objects.filter(namespace=season_of(slug).namespace).values_list(
            "player_id", "accepted_at"
        )
    )
    assert accepted["ann"] < done.as_of < accepted["bob"]


def stop(slug: str) -> None:
    Stop.objects.create(
        season_id=season_of(slug).id,
        failed_check="a check",
        detail="of a test",
        stopped_at=datetime.now(UTC),
    )


def test_a_season_that_was_stopped_stays_as_it_is(slug: str) -> None:
    apply(slug, event("ann", 10))
    stop(slug)
    epoch = open_epoch(slug)
    assert publish(slug).outcome == "stopped"
    assert publish_version(season_of(slug).id).outcome == "stopped"
    assert open_epoch(slug) == epoch


def test_a_publication_despite_a_stop_ends_the_stop(slug: str) -> None:
    apply(slug, event("ann", 10))
    stop(slug)
    assert seal_and_publish(season_of(slug).id, despite_stop=True).outcome == "published"
    assert not Stop.objects.filter(season_id=season_of(slug).id).exists()


def test_the_sample_of_buckets_goes_round(shared: str, superuser: psycopg.Connection[Any]) -> None:
    slug = make_season(unused_slug(), score_max=20 * 250 - 1).slug
    apply(slug, *(event(f"player-{number}", number * 25) for number in range(200)))
    publish(slug)
    assert current(slug).sampled_bucket == 8
    apply(slug, event("ann", 2500))
    publish(slug)
    assert current(slug).sampled_bucket == 16
    # In a bucket that was looked at just now: it is seen when its turn comes again.
    superuser.execute(
        "UPDATE scores_best SET score = 2300 WHERE namespace = %s AND player_id = 'player-91'",
        [season_of(slug).namespace],
    )
    apply(slug, event("ann", 2501, 2))
    publish(slug)
    assert current(slug).sampled_bucket == 4
    apply(slug, event("ann", 2502, 3))
    with pytest.raises(CheckFailed, match="bucket_against_bests"):
        publish(slug)


def test_a_sample_is_no_larger_than_a_publication_can_bear(shared: str) -> None:
    slug = make_season(unused_slug(), score_max=20 * 250 - 1).slug
    crowd = [event(f"player-{number}", 10) for number in range(21)]
    apply(slug, *crowd)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("leaderboard.steps.checks.PLAYERS_SAMPLED", 20)
        publish(slug)
    assert current(slug).sampled_bucket == 1
