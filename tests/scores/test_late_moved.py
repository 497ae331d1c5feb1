"""Late policy `next`: a late result goes into the season of the series that contains it."""

from datetime import UTC, datetime, timedelta

import pytest

from config.errors import ValidationFailed
from leaderboard.operations import publish_version, verify_season
from scores.models import Best, Ledger
from scores.steps import accepting
from seasons.models import Season
from seasons.operations import close_season, seal_epoch
from seasons.rules import WindowWanted
from tests.api import SCORES, post, result, token
from tests.factories import apply, event, make_final, publish
from tests.series import DAILY, make_series, seasons_of

DAY = timedelta(days=1)
WEEK = 7 * 86_400


def make(**rules: object) -> tuple[Season, Season]:
    """Make a series in which yesterday is closing, and return yesterday's and today's season."""
    series = make_series(
        starts_at=datetime.now(UTC) - DAY, grace_seconds=WEEK, late_policy="next", **rules
    )
    yesterday, today, _ = seasons_of(series)
    return yesterday, today


@pytest.fixture
def days(shared: str) -> tuple[Season, Season]:
    """Give the test yesterday's and today's season of a series that moves late results."""
    return make()


def stored(season: Season) -> dict[str, int | None]:
    rows = Best.objects.filter(namespace=season.namespace).exclude(player_id="")
    return dict(rows.values_list("player_id", "score"))


def ledger(season: Season) -> list[tuple[str, str, str | None]]:
    rows = Ledger.objects.filter(namespace=season.ledger_namespace).order_by("id")
    return list(rows.values_list("player_id", "outcome", "moved_to"))


def test_a_late_result_counts_in_the_season_that_contains_it(days: tuple[Season, Season]) -> None:
    yesterday, today = days
    late = event("ann", 10)
    (receipt,) = apply(yesterday.slug, late)
    assert (receipt.outcome, receipt.moved_to) == ("late_moved", today.slug)
    assert receipt[3:7] == (False, None, None, None)
    assert ledger(yesterday) == [("ann", "late_moved", today.slug)]
    assert ledger(today) == [("ann", "improved", None)]
    assert (stored(yesterday), stored(today)) == ({}, {"ann": 10})


def test_the_receipt_tells_what_the_season_has_that_it_was_sent_to(
    days: tuple[Season, Season],
) -> None:
    yesterday, today = days
    apply(yesterday.slug, event("ann", 7, 3, completed_at=yesterday.starts_at))
    (receipt,) = apply(yesterday.slug, event("ann", 10, 4))
    assert (receipt.outcome, receipt.best_score, receipt.score_version) == ("late_moved", 7, 3)
    assert (stored(yesterday), stored(today)) == ({"ann": 7}, {"ann": 10})


def test_a_repetition_gets_the_first_receipt_in_both(days: tuple[Season, Season]) -> None:
    yesterday, today = days
    late = event("ann", 10)
    (first,) = apply(yesterday.slug, late)
    apply(today.slug, event("ann", 99, 2))
    assert apply(yesterday.slug, late) == [first._replace(replayed=True)]
    (there,) = apply(today.slug, late)
    assert (there.outcome, there.best_score, there.replayed) == ("improved", 10, True)
    (conflict,) = apply(yesterday.slug, late._replace(best_score=11))
    assert conflict.outcome == "conflict"
    assert len(ledger(yesterday)) == 1


def test_within_a_batch_each_result_goes_its_way(days: tuple[Season, Season]) -> None:
    yesterday, today = days
    moved = event("bob", 20)
    receipts = apply(
        yesterday.slug,
        event("ann", 10, completed_at=yesterday.starts_at),
        moved,
        moved,
        event("cid", 30, completed_at=yesterday.starts_at - DAY),
        event("ann", 40, 2),
    )
    assert [(one.outcome, one.moved_to, one.replayed) for one in receipts] == [
        ("improved", None, False),
        ("late_moved", today.slug, False),
        ("late_moved", today.slug, True),
        ("before_start", None, False),
        ("late_moved", today.slug, False),
    ]
    assert (stored(yesterday), stored(today)) == ({"ann": 10}, {"bob": 20, "ann": 40})


def test_what_comes_after_the_grace_time_of_its_own_season_is_rejected(
    days: tuple[Season, Season],
) -> None:
    yesterday, _ = days
    Season.objects.filter(id=yesterday.id).update(grace_seconds=0)
    in_its_day = event("ann", 10, completed_at=yesterday.starts_at)
    (receipt,) = apply(yesterday.slug, in_its_day)
    assert (receipt.outcome, receipt.moved_to) == ("late_rejected", None)
    assert ledger(yesterday) == [("ann", "late_rejected", None)]


def test_what_no_other_season_contains_is_rejected(shared: str) -> None:
    """The hour after midnight is over: it is about noon."""
    series = make_series(
        windows=(WindowWanted("first", "cron", "0 0 * * *", 3600),),
        starts_at=datetime.now(UTC) - DAY / 2 - timedelta(hours=1),
        grace_seconds=WEEK,
        late_policy="next",
    )
    over = seasons_of(series)[0]
    assert apply(over.slug, event("ann", 10))[0].outcome == "late_rejected"


def test_what_would_be_late_in_the_other_season_too_is_rejected(shared: str) -> None:
    series = make_series(
        starts_at=datetime.now(UTC) - 2 * DAY, grace_seconds=WEEK, late_policy="next"
    )
    before, yesterday = seasons_of(series)[:2]
    Season.objects.filter(id=yesterday.id).update(grace_seconds=0)
    late = event("ann", 10, completed_at=yesterday.starts_at)
    assert apply(before.slug, late)[0].outcome == "late_rejected"
    assert ledger(yesterday) == []


def test_a_final_season_gets_none(days: tuple[Season, Season]) -> None:
    yesterday, today = days
    publish(today.slug)
    make_final(today.slug)
    assert apply(yesterday.slug, event("ann", 10))[0].outcome == "late_rejected"
    assert ledger(today) == []


def test_a_season_that_was_closed_by_hand_hands_over_to_none(days: tuple[Season, Season]) -> None:
    _, today = days
    close_season(today.slug, actor="eve", reason="enough")
    assert apply(today.slug, event("ann", 10))[0].outcome == "late_rejected"


def test_the_other_season_knows_the_result_already(days: tuple[Season, Season]) -> None:
    yesterday, today = days
    late = event("ann", 10)
    apply(today.slug, late)
    (receipt,) = apply(yesterday.slug, late)
    assert (receipt.outcome, receipt.moved_to, receipt.replayed) == (
        "late_moved",
        today.slug,
        False,
    )
    assert len(ledger(today)) == 1


def test_the_other_season_knows_the_id_with_other_content(days: tuple[Season, Season]) -> None:
    yesterday, today = days
    late = event("ann", 10)
    apply(today.slug, late)
    conflict, moved = apply(yesterday.slug, late._replace(best_score=11), event("bob", 5))
    assert (conflict.outcome, moved.outcome) == ("conflict", "late_moved")
    assert ledger(yesterday) == [("bob", "late_moved", today.slug)]


def test_where_the_lower_score_wins_it_does_so_in_both(shared: str) -> None:
    yesterday, today = make(order="asc", score_max=100)
    apply(yesterday.slug, event("ann", 60))
    apply(yesterday.slug, event("ann", 70, 2))
    assert stored(today) == {"ann": 40}


def test_results_for_too_many_seasons_are_better_sent_apart(
    days: tuple[Season, Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    yesterday, _ = days
    monkeypatch.setattr(accepting, "MOST_SEASONS", 0)
    in_time = event("ann", 10, completed_at=yesterday.starts_at)
    with pytest.raises(ValidationFailed) as refusal:
        apply(yesterday.slug, in_time, event("bob", 5))
    assert [(fault.pointer, fault.code) for fault in refusal.value.faults] == [
        ("/1/completed_at", "too_many_seasons")
    ]
    assert ledger(yesterday) == []


def test_both_seasons_are_what_their_ledgers_say(days: tuple[Season, Season]) -> None:
    yesterday, today = days
    apply(yesterday.slug, event("ann", 10, completed_at=yesterday.starts_at), event("ann", 20, 2))
    for season in days:
        assert seal_epoch(season.id)
        assert publish_version(season.id).outcome == "published"
        assert verify_season(season.slug).agrees
    assert (stored(yesterday), stored(today)) == ({"ann": 10}, {"ann": 20})


def test_only_the_receipt_of_a_moved_result_names_a_season(database: str) -> None:
    yesterday, today = make(slug="ladder", windows=(DAILY,))
    bearer = token()
    address = SCORES.replace("/season/", f"/{yesterday.slug}/")
    moved = post(address, result(1), bearer).json()
    assert (moved["outcome"], moved["moved_to"]) == ("late_moved", today.slug)
    early = result(2, completed_at="1999-01-01T00:00:00Z")
    both = post(address, {"events": [result(3), early]}, bearer).json()["results"]
    assert [one.get("moved_to", "none") for one in both] == [today.slug, "none"]
