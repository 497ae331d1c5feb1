"""Several seasons in one transaction: writers, closings and seals of each at the same moment."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from leaderboard.operations import seal_and_publish
from leaderboard.operations.retire_season import retire_season
from leaderboard.queries import published
from scores.models import Ledger
from scores.operations import AppliedToSeries, apply_to_series
from scores.rules import Receipt
from seasons.models import Season, Series
from seasons.operations import close_season, seal_epoch
from tests.factories import apply, event, make_final, publish
from tests.leaderboard.agreement import require_board
from tests.races.harness import (
    blocked,
    on_and_on,
    outcome,
    stopped,
    together,
    uncommitted,
)
from tests.series import ALL_TIME, DAILY, make_series, seasons_of

pytestmark = pytest.mark.race

DAY = timedelta(days=1)
WEEK = 7 * 86_400
REASON = {"actor": "eve", "reason": "enough"}


@pytest.fixture
def series(shared: str) -> Series:
    """Give the test a series in which yesterday is closing and moves late results to today."""
    return make_series(
        windows=(DAILY, ALL_TIME),
        starts_at=datetime.now(UTC) - DAY,
        grace_seconds=WEEK,
        late_policy="next",
    )


def days(series: Series) -> tuple[Season, Season]:
    """Return yesterday's and today's season."""
    yesterday, today, *_ = seasons_of(series)
    return yesterday, today


def always(series: Series) -> Season:
    return Season.objects.get(slug=f"{series.slug}-all-time")


def rows(season: Season) -> int:
    return Ledger.objects.filter(namespace=season.ledger_namespace).count()


def test_the_cutoff_waits_for_results_of_the_series_that_are_under_way(series: Series) -> None:
    _, today = days(series)
    with uncommitted(lambda: apply_to_series(series.slug, [event("ann", 10)])) as writer:
        closing = blocked(lambda: close_season(today.slug, **REASON))
        (done,) = writer.go_on()
        assert done.receipts[today.slug].outcome == "improved"
        assert outcome(closing) is None


def test_results_of_the_series_and_the_cutoff_agree_on_every_event(series: Series) -> None:
    _, today = days(series)
    batches = [[event(f"p{n}-{turn}", turn) for turn in range(20)] for n in range(3)]
    for batch in batches:
        # Some are completed a little after the cutoff that is to come.
        batch[10:] = [
            one._replace(completed_at=datetime.now(UTC) + DAY / 8640) for one in batch[10:]
        ]
    done = together(
        *(partial(apply_to_series, series.slug, batch) for batch in batches),
        lambda: close_season(today.slug, **REASON),
    )
    cutoff = Season.objects.get(id=today.id).cutoff_at
    applied: list[AppliedToSeries] = [one for part in done[:3] for one in part]
    for one in applied:
        assert one.receipts[always(series).slug].outcome == "improved"
        if one.event.completed_at < cutoff:
            assert one.receipts[today.slug].outcome == "improved"
    assert rows(always(series)) == 60
    assert rows(today) == sum(today.slug in one.receipts for one in applied)


@pytest.mark.parametrize("which", ["today", "always"])
def test_the_seal_of_each_season_waits_for_a_result_of_the_series(
    series: Series, which: str
) -> None:
    season = days(series)[1] if which == "today" else always(series)
    with uncommitted(lambda: apply_to_series(series.slug, [event("ann", 10)])) as writer:
        sealing = blocked(lambda: seal_epoch(season.id))
        writer.go_on()
        assert outcome(sealing)
    seal_and_publish(season.id)
    require_board(published(season.slug), published(season.slug).current, {"ann": 10}, [], [1])


@pytest.mark.parametrize("which", [0, 1])
def test_the_seal_of_both_seasons_waits_for_a_late_result_that_moves(
    series: Series, which: int
) -> None:
    season, yesterday = days(series)[which], days(series)[0]
    with uncommitted(lambda: apply(yesterday.slug, event("ann", 10))) as writer:
        sealing = blocked(lambda: seal_epoch(season.id))
        (receipt,) = writer.go_on()
        assert receipt.outcome == "late_moved"
        assert outcome(sealing)


def test_the_same_result_from_all_sides_is_in_each_season_once(series: Series) -> None:
    yesterday, today = days(series)
    for number in range(5):
        same = event(f"p{number}", 10)
        done = together(
            *[partial(apply_to_series, series.slug, [same])] * 3,
            *[partial(apply, yesterday.slug, same)] * 2,
            *[partial(apply, today.slug, same)] * 2,
        )
        assert not [one for one in done if isinstance(one, Exception)], done
        assert [rows(season) for season in (yesterday, today)] == [number + 1] * 2
        assert rows(always(series)) == number + 1


def test_writers_of_some_seasons_never_wait_in_a_circle(series: Series) -> None:
    """Players and seasons come in every order, and each season is sealed all the while."""
    yesterday, today = days(series)
    players = [f"p{number}" for number in range(30)]
    seals = [partial(seal_and_publish, season.id) for season in (yesterday, today, always(series))]

    def writes(order: list[str], version: int) -> list[AppliedToSeries]:
        early = datetime.now(UTC) - DAY
        batch = [
            event(player, version, version, **({"completed_at": early} if number % 3 else {}))
            for number, player in enumerate(order)
        ]
        return apply_to_series(series.slug, batch)

    def late(version: int) -> list[Receipt]:
        return apply(yesterday.slug, *(event(player, version, version) for player in players))

    with on_and_on(*seals):
        for version in range(1, 6):
            done = together(
                partial(writes, players, version),
                partial(writes, players[::-1], version),
                partial(late, version),
            )
            assert not [one for one in done if isinstance(one, Exception)], done
    seal_and_publish(always(series).id)
    expected = dict.fromkeys(players, 5)
    require_board(
        published(always(series).slug), published(always(series).slug).current, expected, [], [1]
    )


def test_a_season_that_goes_while_a_late_result_comes_gets_it_no_more(series: Series) -> None:
    yesterday, today = days(series)
    early = event("bob", 5, completed_at=yesterday.starts_at)

    def behind_both_fences(_: int, statement: str) -> bool:
        return statement.count("pg_advisory_xact_lock_shared(1") == 2

    with stopped(lambda: apply(yesterday.slug, early, event("ann", 10)), behind_both_fences) as w:
        close_season(today.slug, **REASON)
        publish(today.slug)
        make_final(today.slug)
        retire_season(today.id)
        receipts = w.go_on()
    assert [receipt.outcome for receipt in receipts] == ["improved", "late_rejected"]
