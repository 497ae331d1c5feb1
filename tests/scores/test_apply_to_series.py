"""apply_to_series: a result goes into every open season that contains it, in one transaction."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.errors import SeriesNotFound, ValidationFailed
from leaderboard.operations import finalize_season
from scores.models import Best, Ledger
from scores.operations import AppliedToSeries, apply_to_series
from scores.rules import Event
from scores.steps import accepting
from seasons.models import Season, Series
from seasons.operations import close_season
from seasons.rules import WindowWanted
from tests.factories import apply, board, event, publish
from tests.series import ALL_TIME, DAILY, make_series, seasons_of, windows

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
GRACE = {"grace_seconds": 30 * 86_400}


@pytest.fixture
def series(shared: str) -> Series:
    """Give the test a series with the days of yesterday, today and tomorrow, and all time."""
    begins_at = datetime.now(UTC) - 2 * DAY
    return make_series(windows=(DAILY, ALL_TIME), starts_at=begins_at, **GRACE)


def send(series: Series, *events: Event) -> list[AppliedToSeries]:
    return apply_to_series(series.slug, events)


def day(series: Series, days: int = 0) -> Season:
    """Return the season of today, or of so many days later."""
    at = datetime.now(UTC) + days * DAY
    return next(
        season
        for season in seasons_of(series)
        if "-daily-" in season.slug and season.starts_at <= at < season.cutoff_at
    )


def always(series: Series) -> str:
    return f"{series.slug}-all-time"


def scores(slug: str) -> dict[str, int | None]:
    namespace = Season.objects.get(slug=slug).namespace
    rows = Best.objects.filter(namespace=namespace).exclude(player_id="")
    return dict(rows.values_list("player_id", "score"))


def ledger(series: Series) -> int:
    namespaces = [season.ledger_namespace for season in seasons_of(series)]
    return Ledger.objects.filter(namespace__in=namespaces).count()


def test_a_result_goes_into_every_season_that_contains_it(series: Series) -> None:
    (done,) = send(series, event("ann", 10))
    today = day(series).slug
    assert done.outcome == "recorded"
    assert list(done.receipts) == [today, always(series)]
    assert {receipt.outcome for receipt in done.receipts.values()} == {"improved"}
    assert scores(today) == scores(always(series)) == {"ann": 10}
    assert scores(day(series, -1).slug) == {}
    for slug in (today, always(series)):
        assert board(slug).members == [1]


def test_each_season_has_its_own_outcome(series: Series) -> None:
    apply(always(series), event("ann", 50))
    (done,) = send(series, event("ann", 10, 2))
    first, second = done.receipts.values()
    assert (first.outcome, first.best_score) == ("improved", 10)
    assert (second.outcome, second.best_score) == ("not_improved", 50)
    assert first.visible_in_version is not None
    assert second.visible_in_version is None


def test_results_of_one_batch_go_where_each_belongs(series: Series) -> None:
    now = datetime.now(UTC)
    done = send(series, event("ann", 1), event("bob", 2, completed_at=now - DAY), event("cid", 3))
    today, yesterday = day(series).slug, day(series, -1).slug
    assert [list(one.receipts) for one in done] == [
        [today, always(series)],
        [yesterday, always(series)],
        [today, always(series)],
    ]
    assert scores(today) == {"ann": 1, "cid": 3}
    assert scores(yesterday) == {"bob": 2}
    assert scores(always(series)) == {"ann": 1, "bob": 2, "cid": 3}


def test_what_belongs_to_no_open_season_is_told_so_and_not_recorded(series: Series) -> None:
    long_ago = event("ann", 10, completed_at=datetime.now(UTC) - 9 * DAY)
    (done,) = send(series, long_ago)
    assert (done.outcome, done.receipts) == ("no_open_season", {})
    both = send(series, long_ago, event("bob", 5))
    assert [one.outcome for one in both] == ["no_open_season", "recorded"]
    assert ledger(series) == 2


def test_a_season_that_is_still_to_begin_gets_nothing(shared: str) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=30)
    series = make_series(starts_at=soon)
    (done,) = send(series, event("ann", 10, completed_at=soon + timedelta(seconds=10)))
    assert (done.outcome, done.receipts) == ("no_open_season", {})


@pytest.mark.parametrize(
    ("policy", "outcome"),
    [("reject", "late_rejected"), ("review", "late_held"), ("next", "late_rejected")],
)
def test_after_the_grace_time_it_is_late_in_that_season_only(
    shared: str, policy: str, outcome: str
) -> None:
    begins_at = datetime.now(UTC) - 2 * DAY
    series = make_series(
        windows=(DAILY, ALL_TIME), starts_at=begins_at, late_policy=policy, **GRACE
    )
    Season.objects.filter(window__rule__series=series).update(grace_seconds=60)
    late = event("ann", 10, completed_at=datetime.now(UTC) - DAY)
    (done,) = send(series, late)
    outcomes = {slug: receipt.outcome for slug, receipt in done.receipts.items()}
    assert outcomes == {day(series, -1).slug: outcome, always(series): "improved"}
    (again,) = send(series, late)
    assert {slug: receipt.outcome for slug, receipt in again.receipts.items()} == outcomes
    assert all(receipt.moved_to is None for receipt in again.receipts.values())


def test_a_repeated_result_gets_its_first_receipts(series: Series) -> None:
    first = event("ann", 10)
    (done,) = send(series, first)
    send(series, event("ann", 90, 2))
    (again,) = send(series, first)
    assert again.outcome == "recorded"
    assert again.receipts == {
        slug: receipt._replace(replayed=True) for slug, receipt in done.receipts.items()
    }


def test_a_repeated_result_gets_its_receipts_also_of_a_final_season(series: Series) -> None:
    yesterday = day(series, -1)
    first = event("ann", 10, completed_at=datetime.now(UTC) - DAY)
    (done,) = send(series, first)
    Season.objects.filter(id=yesterday.id).update(grace_seconds=0)
    publish(yesterday.slug)
    assert finalize_season(yesterday.slug, actor="eve", reason="over").outcome == "final"
    (again, new) = send(series, first, first._replace(event_id="another", score_version=2))
    assert list(again.receipts) == [yesterday.slug, always(series)]
    assert all(receipt.replayed for receipt in again.receipts.values())
    assert list(new.receipts) == [always(series)]
    assert done.receipts[yesterday.slug].outcome == "improved"


def test_a_result_that_one_season_has_already_goes_into_the_others(series: Series) -> None:
    first = event("ann", 10)
    (receipt,) = apply(day(series).slug, first)
    (done,) = send(series, first)
    assert done.receipts[day(series).slug] == receipt._replace(replayed=True)
    assert done.receipts[always(series)].outcome == "improved"
    assert not done.receipts[always(series)].replayed


@pytest.mark.parametrize(
    "other",
    [{"best_score": 11}, {"player_id": "bob"}, {"match_id": "another"}, {"score_version": 2}],
)
def test_the_same_id_with_other_content_is_a_conflict_in_all(
    series: Series, other: dict[str, Any]
) -> None:
    first = event("ann", 10)
    apply(always(series), first)
    conflict, fine = send(series, first._replace(**other), event("cid", 5))
    assert (conflict.outcome, conflict.receipts) == ("conflict", {})
    assert fine.outcome == "recorded"
    assert scores(day(series).slug) == {"cid": 5}


def test_the_same_id_on_another_day_is_a_conflict_too(series: Series) -> None:
    first = event("ann", 10)
    send(series, first)
    (conflict,) = send(series, first._replace(completed_at=datetime.now(UTC) - DAY))
    assert conflict.outcome == "conflict"
    assert scores(day(series, -1).slug) == {}


def test_within_a_batch_the_first_of_an_id_counts(series: Series) -> None:
    first = event("ann", 10)
    other = first._replace(completed_at=datetime.now(UTC) - DAY)
    taken, again, conflict = send(series, first, first, other)
    assert [one.outcome for one in (taken, again, conflict)] == ["recorded"] * 2 + ["conflict"]
    assert {receipt.replayed for receipt in taken.receipts.values()} == {False}
    assert again.receipts == {
        slug: receipt._replace(replayed=True) for slug, receipt in taken.receipts.items()
    }
    assert ledger(series) == 2


def test_what_the_ledger_has_counts_before_what_the_batch_has_first(series: Series) -> None:
    first = event("ann", 10)
    send(series, first)
    conflict, again = send(series, first._replace(best_score=11), first)
    assert (conflict.outcome, again.outcome) == ("conflict", "recorded")


def test_a_score_out_of_range_refuses_the_whole_batch(series: Series) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        send(
            series, event("ann", 5), event("bob", 1_000_001), event("cid", 5, completed_at=soon())
        )
    assert [(fault.pointer, fault.code) for fault in refusal.value.faults] == [
        ("/1/best_score", "out_of_range"),
        ("/2/completed_at", "in_the_future"),
    ]
    assert ledger(series) == 0


def test_a_score_out_of_range_is_refused_also_where_no_season_is_open(shared: str) -> None:
    series = make_series(starts_at=datetime.now(UTC) + DAY, score_max=9)
    with pytest.raises(ValidationFailed):
        send(series, event("ann", 10))


def soon() -> datetime:
    return datetime.now(UTC) + 2 * MINUTE


def test_results_in_too_many_seasons_are_better_sent_apart(
    series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accepting, "MOST_SEASONS", 2)
    now = datetime.now(UTC)
    assert send(series, event("ann", 1))[0].outcome == "recorded"
    with pytest.raises(ValidationFailed) as refusal:
        send(series, event("ann", 2, 2), event("bob", 3, completed_at=now - DAY))
    assert {fault.code for fault in refusal.value.faults} == {"too_many_seasons"}
    assert ledger(series) == 2


def test_between_two_windows_nothing_is_open(shared: str) -> None:
    """The hour after midnight is over: it is about noon."""
    series = make_series(windows=(WindowWanted("first", "cron", "0 0 * * *", 3600),))
    assert send(series, event("ann", 10))[0].outcome == "no_open_season"


def test_a_season_that_was_closed_by_hand_does_not_contain_what_comes_after(
    series: Series,
) -> None:
    today = day(series).slug
    early = event("ann", 10)
    close_season(today, actor="eve", reason="enough")
    late = event("bob", 20)
    done = send(series, early, late)
    assert [list(one.receipts) for one in done] == [
        [today, always(series)],
        [always(series)],
    ]


def test_where_the_lower_score_wins_every_season_says_so(shared: str) -> None:
    series = make_series(windows=windows("daily", "all_time"), order="asc", score_max=100)
    send(series, event("ann", 60))
    (done,) = send(series, event("ann", 40, 2))
    assert {(r.outcome, r.best_score) for r in done.receipts.values()} == {("improved", 40)}
    assert scores(always(series)) == {"ann": 60}


def test_a_series_that_is_not_there(shared: str) -> None:
    with pytest.raises(SeriesNotFound):
        apply_to_series("nowhere", [event("ann", 10)])
