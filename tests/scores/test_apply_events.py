"""apply_events: every outcome, one case a clause of the contract."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.errors import SeasonFinal, SeasonNotFound, SeasonNotOpen, ValidationFailed
from scores.models import Best, Ledger, Tally
from scores.steps import writing
from tests.factories import apply, event, make_final, make_season


def tallied() -> int:
    return sum(Tally.objects.values_list("events", flat=True))


def test_a_first_result_improves(season: str) -> None:
    (receipt,) = apply(season, event("ann", 10))
    assert receipt[1:] == ("ann", "improved", False, 10, 1, 2, None)


def test_a_higher_result_improves_and_a_lower_one_does_not(season: str) -> None:
    apply(season, event("ann", 10))
    higher, lower = apply(season, event("ann", 20, 2), event("ann", 15, 3))
    assert (higher.outcome, higher.best_score, higher.score_version) == ("improved", 20, 2)
    assert (lower.outcome, lower.best_score, lower.score_version) == ("not_improved", 20, 3)
    assert lower.visible_in_version is None


def test_no_results_are_a_batch_that_leaves_nothing(season: str) -> None:
    assert apply(season) == []
    assert (Ledger.objects.count(), tallied()) == (0, 0)


def test_an_equal_result_does_not_improve(season: str) -> None:
    apply(season, event("ann", 10))
    (equal,) = apply(season, event("ann", 10, 2))
    assert (equal.outcome, equal.visible_in_version) == ("not_improved", None)


@pytest.mark.parametrize("version", [1, 4, 5])
def test_an_equal_or_older_version_is_stale_and_answers_with_what_is_stored(
    season: str, version: int
) -> None:
    apply(season, event("ann", 10, 5))
    (stale,) = apply(season, event("ann", 99, version))
    assert stale[2:] == ("stale_version", False, 10, 5, None, None)
    assert Best.objects.get(player_id="ann").score == 10


def test_a_repeated_event_gets_its_first_receipt(season: str) -> None:
    first = event("ann", 10)
    (receipt,) = apply(season, first)
    apply(season, event("ann", 50, 2))
    (again,) = apply(season, first)
    assert again == receipt._replace(replayed=True)
    assert Ledger.objects.count() == 2


@pytest.mark.parametrize(
    "other",
    [
        {"best_score": 11},
        {"player_id": "bob"},
        {"match_id": "another"},
        {"score_version": 2},
        {"completed_at": datetime(2020, 1, 1, tzinfo=UTC)},
    ],
)
def test_the_same_id_with_other_content_is_a_conflict(season: str, other: dict[str, Any]) -> None:
    first = event("ann", 10)
    apply(season, first)
    (conflict,) = apply(season, first._replace(**other))
    assert (conflict.outcome, conflict.replayed) == ("conflict", False)
    assert Ledger.objects.count() == 1


def test_the_same_instant_in_another_offset_is_the_same_content(season: str) -> None:
    first = event("ann", 10)
    apply(season, first)
    moved = first.completed_at.astimezone(tz=datetime.now().astimezone().tzinfo)
    (again,) = apply(season, first._replace(completed_at=moved))
    assert again.replayed


def test_a_known_event_in_a_batch_with_new_ones_of_its_player(season: str) -> None:
    first = event("ann", 10)
    (receipt,) = apply(season, first)
    newer, again, stale = apply(season, event("ann", 20, 2), first, event("ann", 30, 1))
    assert again == receipt._replace(replayed=True)
    assert (newer.outcome, newer.best_score) == ("improved", 20)
    assert (stale.outcome, stale.best_score) == ("stale_version", 10)
    assert tallied() == Ledger.objects.count() == 3


def test_repeated_and_stale_events_are_told_apart_at_once(
    season: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "TRIES", 1)
    events = [event("ann", 10), event("bob", 20)]
    receipts = apply(season, *events)
    again = apply(season, *events, event("cyd", 5), event("bob", 30, 1))
    assert again[:2] == [receipt._replace(replayed=True) for receipt in receipts]
    assert [receipt.outcome for receipt in again[2:]] == ["improved", "stale_version"]
    assert tallied() == Ledger.objects.count() == 4


@pytest.mark.parametrize(("player", "version"), [("ann", 1), ("ann", 2), ("bob", 1)])
def test_of_an_id_with_other_content_nothing_is_left_and_the_others_are_taken(
    season: str, player: str, version: int
) -> None:
    first = event("ann", 10)
    apply(season, first)
    other = first._replace(player_id=player, score_version=version, best_score=99)
    conflict, taken = apply(season, other, event("cyd", 5))
    stored = 10 if player == "ann" else None
    assert (conflict.outcome, conflict.best_score) == ("conflict", stored)
    assert taken.outcome == "improved"
    assert set(Best.objects.exclude(player_id="").values_list("player_id", "score")) == {
        ("ann", 10),
        ("cyd", 5),
    }
    assert tallied() == Ledger.objects.count() == 2


def test_within_a_batch_the_first_of_an_id_counts(season: str) -> None:
    first = event("ann", 10)
    taken, again, other = apply(season, first, first, first._replace(best_score=99))
    assert (taken.outcome, taken.replayed) == ("improved", False)
    assert again == taken._replace(replayed=True)
    assert (other.outcome, other.best_score) == ("conflict", 10)


def test_events_of_one_player_count_in_order_of_their_version(season: str) -> None:
    third, first, second = apply(
        season, event("ann", 30, 3), event("ann", 20, 1), event("ann", 10, 2)
    )
    assert [first.outcome, second.outcome, third.outcome] == [
        "improved",
        "not_improved",
        "improved",
    ]
    assert [first.best_score, second.best_score, third.best_score] == [20, 20, 30]


def test_of_equal_versions_in_a_batch_the_first_in_request_order_counts(season: str) -> None:
    first, second = apply(season, event("ann", 10, 1), event("ann", 20, 1))
    assert [first.outcome, second.outcome] == ["improved", "stale_version"]
    assert second.best_score == 10


def test_a_result_completed_before_the_start_is_recorded_and_does_not_count(
    season: str,
) -> None:
    early = datetime.now(UTC) - timedelta(hours=2)
    (receipt,) = apply(season, event("ann", 10, completed_at=early))
    assert receipt[2:] == ("before_start", False, None, None, None, None)
    assert not Best.objects.filter(player_id="ann").exists()
    assert Ledger.objects.get().outcome == "before_start"


@pytest.mark.parametrize(
    ("policy", "outcome"), [("reject", "late_rejected"), ("review", "late_held")]
)
@pytest.mark.parametrize(
    ("after_cutoff", "counts"),
    [
        (timedelta(microseconds=-1), True),
        (timedelta(0), False),
        (timedelta(microseconds=1), False),
    ],
)
def test_a_result_counts_if_it_was_completed_before_the_cutoff(
    database: str, policy: str, outcome: str, after_cutoff: timedelta, *, counts: bool
) -> None:
    cutoff = datetime.now(UTC) - timedelta(seconds=5)
    make_season("closing", cutoff_at=cutoff, late_policy=policy)
    (receipt,) = apply("closing", event("ann", 10, completed_at=cutoff + after_cutoff))
    assert receipt.outcome == ("improved" if counts else outcome)


def test_after_the_grace_time_an_early_completion_is_late_too(database: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(seconds=5)
    make_season("closing", cutoff_at=cutoff, grace_seconds=4)
    (receipt,) = apply("closing", event("ann", 10, completed_at=cutoff - timedelta(minutes=1)))
    assert receipt.outcome == "late_rejected"


def test_a_late_result_answers_with_the_best_that_is_stored(database: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(seconds=5)
    make_season("closing", cutoff_at=cutoff)
    _, late = apply(
        "closing",
        event("ann", 10, 7, completed_at=cutoff - timedelta(seconds=1)),
        event("ann", 99, 8, completed_at=cutoff),
    )
    assert late[2:] == ("late_rejected", False, 10, 7, None, None)


def test_nothing_is_taken_before_the_season_opens(database: str) -> None:
    starts = datetime.now(UTC) + timedelta(hours=1)
    make_season("scheduled", starts_at=starts, cutoff_at=starts + timedelta(days=1))
    with pytest.raises(SeasonNotOpen):
        apply("scheduled", event("ann", 10))
    assert not Ledger.objects.exists()


def test_a_final_season_takes_nothing_new_and_answers_what_it_knows(season: str) -> None:
    first = event("ann", 10)
    (receipt,) = apply(season, first)
    make_final(season)
    with pytest.raises(SeasonFinal):
        apply(season, first, event("ann", 20, 2))
    assert Ledger.objects.count() == 1
    assert apply(season, first) == [receipt._replace(replayed=True)]
    conflict = apply(season, first._replace(best_score=11))
    assert conflict[0].outcome == "conflict"


def test_a_season_that_does_not_exist_is_not_found(database: str) -> None:
    with pytest.raises(SeasonNotFound):
        apply("nowhere", event("ann", 10))


@pytest.mark.parametrize("score", [-1, 1_000_001])
def test_a_score_outside_the_range_refuses_the_whole_batch(season: str, score: int) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        apply(season, event("ann", 10), event("bob", score))
    assert [fault.pointer for fault in refusal.value.faults] == ["/1/best_score"]
    assert not Ledger.objects.exists()


def test_a_completion_more_than_a_minute_ahead_refuses_the_whole_batch(season: str) -> None:
    ahead = datetime.now(UTC) + timedelta(seconds=70)
    with pytest.raises(ValidationFailed) as refusal:
        apply(season, event("ann", 10), event("bob", 10, completed_at=ahead))
    assert [fault.pointer for fault in refusal.value.faults] == ["/1/completed_at"]
    assert not Ledger.objects.exists()


def test_a_completion_less_than_a_minute_ahead_is_taken(season: str) -> None:
    ahead = datetime.now(UTC) + timedelta(seconds=50)
    (receipt,) = apply(season, event("ann", 10, completed_at=ahead))
    assert receipt.outcome == "improved"


def test_score_zero_is_a_score(season: str) -> None:
    (receipt,) = apply(season, event("ann", 0))
    assert (receipt.outcome, receipt.best_score) == ("improved", 0)
