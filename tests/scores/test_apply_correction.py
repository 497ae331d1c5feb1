"""apply_correction: every clause of the contract on corrections, removals and voids."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.errors import EventConflict, SeasonNotFound, SeasonNotOpen, ValidationFailed
from scores.models import Best, Ledger
from scores.operations import apply_correction
from scores.rules import Receipt
from seasons.models import Season
from tests.factories import apply, correct, correction, event, make_final, make_season, unused_slug


def stored(slug: str, player_id: str = "ann") -> tuple[Any, ...]:
    """Return what a player's best is: shown, hidden, removed, version."""
    bests = Best.objects.filter(namespace=namespace(slug), player_id=player_id)
    return bests.values_list("score", "hidden_score", "removed", "score_version").get()


def ledger(slug: str) -> Any:
    return Ledger.objects.filter(namespace=namespace(slug))


def namespace(slug: str) -> int:
    return Season.objects.get(slug=slug).namespace


def outcome(receipt: Receipt) -> tuple[Any, ...]:
    return receipt[2:7]


@pytest.fixture
def ann(slug: str) -> str:
    """Give the test a season in which ann has 50 at version 1, and return its slug."""
    apply(slug, event("ann", 50))
    return slug


@pytest.mark.parametrize("score", [80, 20, 0])
def test_a_number_sets_the_score_up_and_down(ann: str, score: int) -> None:
    receipt = correct(ann, "ann", 2, corrected_score=score)
    assert outcome(receipt) == ("corrected", False, score, 2, 2)
    assert stored(ann) == (score, None, False, 2)


def test_a_number_that_is_the_score_already_shows_no_change(ann: str) -> None:
    receipt = correct(ann, "ann", 2, corrected_score=50)
    assert outcome(receipt) == ("corrected", False, 50, 2, None)


def test_a_number_puts_a_player_without_results_on_the_board(slug: str) -> None:
    receipt = correct(slug, "new", 1, corrected_score=7)
    assert outcome(receipt) == ("corrected", False, 7, 1, 2)
    assert stored(slug, "new") == (7, None, False, 1)


def test_a_result_after_a_lower_correction_raises_from_there(ann: str) -> None:
    correct(ann, "ann", 2, corrected_score=20)
    lower, higher = apply(ann, event("ann", 15, 3), event("ann", 30, 4))
    assert (lower.outcome, lower.best_score) == ("not_improved", 20)
    assert (higher.outcome, higher.best_score) == ("improved", 30)


def test_null_removes_the_player_and_keeps_the_best_hidden(ann: str) -> None:
    receipt = correct(ann, "ann", 2)
    assert outcome(receipt) == ("corrected", False, None, 2, 2)
    assert stored(ann) == (None, 50, True, 2)


def test_a_player_without_a_best_can_be_removed_and_changes_no_board(slug: str) -> None:
    receipt = correct(slug, "new", 1)
    assert outcome(receipt) == ("corrected", False, None, 1, None)
    (first,) = apply(slug, event("new", 5, 2))
    assert outcome(first) == ("improved", False, 5, 2, None)
    assert stored(slug, "new") == (None, 5, True, 2)


def test_results_of_a_removed_player_fold_into_the_hidden_best(ann: str) -> None:
    correct(ann, "ann", 2)
    higher, lower = apply(ann, event("ann", 60, 3), event("ann", 55, 4))
    assert outcome(higher) == ("improved", False, 60, 3, None)
    assert outcome(lower) == ("not_improved", False, 60, 4, None)
    assert stored(ann) == (None, 60, True, 4)


def test_a_result_alone_never_brings_a_removed_player_back(ann: str) -> None:
    correct(ann, "ann", 2)
    for version in (3, 4, 5):
        apply(ann, event("ann", 100 * version, version))
        assert stored(ann)[0] is None


def test_a_removal_of_a_removed_player_changes_nothing_shown(ann: str) -> None:
    correct(ann, "ann", 2)
    assert outcome(correct(ann, "ann", 3)) == ("corrected", False, None, 3, None)
    assert stored(ann) == (None, 50, True, 3)


def test_a_number_ends_a_removal(ann: str) -> None:
    correct(ann, "ann", 2)
    apply(ann, event("ann", 60, 3))
    receipt = correct(ann, "ann", 4, corrected_score=10)
    assert outcome(receipt) == ("corrected", False, 10, 4, 2)
    assert stored(ann) == (10, None, False, 4)


def test_voiding_the_removal_is_as_if_never_removed(ann: str) -> None:
    removal = correct(ann, "ann", 2)
    apply(ann, event("ann", 60, 3), event("ann", 40, 4))
    receipt = correct(ann, "ann", 5, void_event_id=removal.event_id)
    assert outcome(receipt) == ("corrected", False, 60, 5, 2)
    assert stored(ann) == (60, None, False, 5)


def test_of_two_removals_the_other_one_still_hides(ann: str) -> None:
    first = correct(ann, "ann", 2)
    correct(ann, "ann", 3)
    receipt = correct(ann, "ann", 4, void_event_id=first.event_id)
    assert outcome(receipt) == ("corrected", False, None, 4, None)
    assert stored(ann) == (None, 50, True, 4)


def test_voiding_the_best_result_leaves_the_next_best(slug: str) -> None:
    _, best, _ = apply(slug, event("ann", 50), event("ann", 90, 2), event("ann", 60, 3))
    receipt = correct(slug, "ann", 4, void_event_id=best.event_id)
    assert outcome(receipt) == ("corrected", False, 60, 4, 2)


def test_voiding_the_only_result_takes_the_player_off_the_board(slug: str) -> None:
    (only,) = apply(slug, event("ann", 50))
    receipt = correct(slug, "ann", 2, void_event_id=only.event_id)
    assert outcome(receipt) == ("corrected", False, None, 2, 2)
    assert stored(slug) == (None, None, False, 2)
    (again,) = apply(slug, event("ann", 5, 3))
    assert outcome(again) == ("improved", False, 5, 3, 2)


def test_voiding_a_result_that_did_not_improve_shows_no_change(ann: str) -> None:
    (lower,) = apply(ann, event("ann", 40, 2))
    receipt = correct(ann, "ann", 3, void_event_id=lower.event_id)
    assert outcome(receipt) == ("corrected", False, 50, 3, None)


def test_voiding_a_correction_brings_back_what_the_results_fold_to(ann: str) -> None:
    number = correct(ann, "ann", 2, corrected_score=10)
    apply(ann, event("ann", 30, 3))
    receipt = correct(ann, "ann", 4, void_event_id=number.event_id)
    assert outcome(receipt) == ("corrected", False, 50, 4, 2)


def test_a_voided_result_stays_out_of_later_voids(slug: str) -> None:
    low, high = apply(slug, event("ann", 50), event("ann", 90, 2))
    correct(slug, "ann", 3, void_event_id=high.event_id)
    receipt = correct(slug, "ann", 4, void_event_id=low.event_id)
    assert receipt.best_score is None


def test_a_stale_result_never_counts_in_a_fold(slug: str) -> None:
    (taken,) = apply(slug, event("ann", 50, 5))
    apply(slug, event("ann", 90, 4))
    receipt = correct(slug, "ann", 6, void_event_id=taken.event_id)
    assert receipt.best_score is None


def test_a_late_result_never_counts_in_a_fold(shared: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(seconds=5)
    slug = make_season(unused_slug(), cutoff_at=cutoff, late_policy="review").slug
    timely = event("ann", 50, 1, completed_at=cutoff - timedelta(seconds=1))
    _, late = apply(slug, timely, event("ann", 90, 2, completed_at=cutoff))
    assert late.outcome == "late_held"
    assert correct(slug, "ann", 3, void_event_id=timely.event_id).best_score is None


def test_a_void_of_a_late_result_changes_nothing(shared: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(seconds=5)
    slug = make_season(unused_slug(), cutoff_at=cutoff).slug
    (late,) = apply(slug, event("ann", 90, completed_at=cutoff))
    receipt = correct(slug, "ann", 2, void_event_id=late.event_id)
    assert outcome(receipt) == ("corrected", False, None, 2, None)


@pytest.mark.parametrize("whose", ["nobody's", "another's", "a void", "another season's"])
def test_only_a_result_or_correction_of_the_player_can_be_voided(ann: str, whose: str) -> None:
    (own,) = apply(ann, event("ann", 60, 2))
    (others,) = apply(ann, event("bob", 50))
    other_season = make_season(unused_slug()).slug
    (elsewhere,) = apply(other_season, event("ann", 50))
    void = correct(ann, "ann", 3, void_event_id=own.event_id)
    target = {
        "nobody's": "unheard-of",
        "another's": others.event_id,
        "a void": void.event_id,
        "another season's": elsewhere.event_id,
    }[whose]
    rows = ledger(ann).count()
    with pytest.raises(ValidationFailed) as refusal:
        correct(ann, "ann", 4, void_event_id=target)
    assert [fault.pointer for fault in refusal.value.faults] == ["/void_event_id"]
    assert ledger(ann).count() == rows
    assert stored(ann) == (50, None, False, 3)


@pytest.mark.parametrize("members", [{}, {"corrected_score": 99}, {"void_event_id": "first"}])
@pytest.mark.parametrize("version", [1, 4, 5])
def test_an_equal_or_older_version_is_stale_and_answers_with_what_is_stored(
    slug: str, members: dict[str, Any], version: int
) -> None:
    apply(slug, event("ann", 50, 5, event_id="first"))
    receipt = correct(slug, "ann", version, **members)
    assert outcome(receipt) == ("stale_version", False, 50, 5, None)
    assert stored(slug) == (50, None, False, 5)


def test_a_stale_void_takes_nothing_out_of_later_folds(slug: str) -> None:
    first, second = apply(slug, event("ann", 50, 5), event("ann", 40, 6))
    correct(slug, "ann", 6, void_event_id=first.event_id)
    receipt = correct(slug, "ann", 7, void_event_id=second.event_id)
    assert receipt.best_score == 50


def test_a_stale_correction_of_a_removed_player_answers_with_what_is_shown(ann: str) -> None:
    correct(ann, "ann", 5)
    receipt = correct(ann, "ann", 4, corrected_score=1)
    assert outcome(receipt) == ("stale_version", False, None, 5, None)


@pytest.mark.parametrize(
    "members", [{}, {"corrected_score": 20}, {"void_event_id": "first"}], ids=str
)
def test_a_repeated_correction_gets_its_first_receipt(slug: str, members: dict[str, Any]) -> None:
    apply(slug, event("ann", 50, event_id="first"))
    wanted = correction("ann", 2, **members)
    first = apply_correction(slug, wanted)
    correct(slug, "ann", 3, corrected_score=33)
    assert apply_correction(slug, wanted) == first._replace(replayed=True)
    assert ledger(slug).count() == 3


@pytest.mark.parametrize(
    "other",
    [
        {"corrected_score": 21},
        {"corrected_score": None, "kind": "remove"},
        {"player_id": "bob"},
        {"score_version": 3},
        {"reason": "another"},
        {"evidence": "another"},
        {"approved_by": "another"},
        {"corrects_event_id": "another"},
        {"keeps_time": False},
        {"keeps_time": False, "achieved_at": datetime(2026, 1, 1, tzinfo=UTC)},
    ],
    ids=str,
)
def test_the_same_id_with_other_content_is_a_conflict(ann: str, other: dict[str, Any]) -> None:
    wanted = correction("ann", 2, corrected_score=20)
    apply_correction(ann, wanted)
    with pytest.raises(EventConflict):
        apply_correction(ann, wanted._replace(**other))
    assert stored(ann) == (20, None, False, 2)
    assert ledger(ann).count() == 2


def test_the_id_of_a_result_is_a_conflict_for_a_correction(slug: str) -> None:
    apply(slug, event("ann", 50, event_id="same"))
    with pytest.raises(EventConflict):
        correct(slug, "ann", 2, event_id="same")


def test_the_id_of_a_correction_is_a_conflict_for_a_result(ann: str) -> None:
    correct(ann, "ann", 2, event_id="same")
    (conflict,) = apply(ann, event("ann", 60, 3, event_id="same"))
    assert outcome(conflict) == ("conflict", False, 50, 2, None)


@pytest.mark.parametrize("score", [-1, 1_000_001])
def test_a_score_outside_the_range_is_refused(ann: str, score: int) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        correct(ann, "ann", 2, corrected_score=score)
    assert [fault.pointer for fault in refusal.value.faults] == ["/corrected_score"]
    assert ledger(ann).count() == 1


def test_nothing_is_corrected_before_the_season_opens(shared: str) -> None:
    starts = datetime.now(UTC) + timedelta(hours=1)
    slug = make_season(unused_slug(), starts_at=starts, cutoff_at=starts + timedelta(days=1)).slug
    with pytest.raises(SeasonNotOpen):
        correct(slug, "ann", 1, corrected_score=5)
    assert not ledger(slug).exists()


def test_a_closing_season_takes_corrections_also_after_the_grace_time(shared: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(minutes=5)
    slug = make_season(unused_slug(), cutoff_at=cutoff, grace_seconds=0).slug
    assert correct(slug, "ann", 1, corrected_score=5).outcome == "corrected"


def test_a_final_season_takes_corrections(ann: str) -> None:
    make_final(ann)
    assert correct(ann, "ann", 2, corrected_score=5).outcome == "corrected"


def test_a_season_that_does_not_exist_is_not_found(shared: str) -> None:
    with pytest.raises(SeasonNotFound):
        correct("nowhere", "ann", 1)


def test_the_ledger_says_who_why_and_on_what_evidence(ann: str) -> None:
    receipt = correct(
        ann, "ann", 2, reason="aimbot", evidence="clip 7", approved_by="eve",
        corrects_event_id="match-event",
    )  # fmt: skip
    row = ledger(ann).get(event_id=receipt.event_id)
    assert (row.kind, row.reason, row.evidence, row.approved_by, row.corrects_event_id) == (
        "correction", "aimbot", "clip 7", "eve", "match-event",
    )  # fmt: skip
    assert (row.old_score, row.new_score, row.change_no) == (50, None, 2)
