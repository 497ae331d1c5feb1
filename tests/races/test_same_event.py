"""An event that arrives many times at once, or with an id that somebody is just using."""

import pytest

from config.errors import EventConflict
from scores.models import Best, Ledger, Tally, Undo
from scores.operations import apply_correction
from seasons.models import Season
from tests.factories import apply, correct, correction, event
from tests.races.harness import Failure, blocked, outcome, together, uncommitted

pytestmark = pytest.mark.race


def traces(slug: str) -> tuple[list[str], list[str]]:
    """Return whose bests there are, and whose events."""
    namespace = Season.objects.get(slug=slug).namespace
    bests = Best.objects.filter(namespace=namespace).exclude(player_id="")
    events = Ledger.objects.filter(namespace=namespace)
    assert not Undo.objects.filter(namespace=namespace).exists()
    return (
        sorted(bests.values_list("player_id", flat=True)),
        sorted(events.values_list("player_id", flat=True)),
    )


def test_an_event_in_fifty_threads_is_one_row_and_fifty_equal_receipts(slug: str) -> None:
    wanted = event("ann", 10)
    receipts = [one[0] for one in together(*[lambda: apply(slug, wanted)] * 50)]
    assert sorted(receipt.replayed for receipt in receipts) == [False] + [True] * 49
    assert len({receipt._replace(replayed=False) for receipt in receipts}) == 1
    assert traces(slug) == (["ann"], ["ann"])
    namespace = Season.objects.get(slug=slug).namespace
    assert [tally.events for tally in Tally.objects.filter(namespace=namespace)] == [1]


def test_a_correction_in_ten_threads_is_one_row_and_ten_equal_receipts(slug: str) -> None:
    wanted = correction("ann", 1, corrected_score=10)
    receipts = together(*[lambda: apply_correction(slug, wanted)] * 10)
    assert sorted(receipt.replayed for receipt in receipts) == [False] + [True] * 9
    assert len({receipt._replace(replayed=False) for receipt in receipts}) == 1
    assert traces(slug) == (["ann"], ["ann"])


def test_a_batch_that_overlaps_another_gets_its_receipts_for_what_is_in_both(slug: str) -> None:
    shared, own = event("bob", 20), event("ann", 10)
    with uncommitted(lambda: apply(slug, shared)) as first:
        second = blocked(lambda: apply(slug, own, shared))
    again = first.future.result()[0]._replace(replayed=True)
    assert outcome(second)[1] == again
    assert outcome(second)[0].outcome == "improved"
    assert traces(slug) == (["ann", "bob"], ["ann", "bob"])


def test_of_two_events_with_one_id_the_second_leaves_no_trace(slug: str) -> None:
    wanted = event("ann", 10)
    with uncommitted(lambda: apply(slug, wanted)):
        second = blocked(lambda: apply(slug, wanted._replace(player_id="bob")))
    (receipt,) = outcome(second)
    assert (receipt.outcome, receipt.best_score) == ("conflict", None)
    assert traces(slug) == (["ann"], ["ann"])


def test_a_batch_with_an_id_in_use_keeps_its_other_events(slug: str) -> None:
    wanted = event("ann", 10)
    other = wanted._replace(player_id="bob")
    with uncommitted(lambda: apply(slug, wanted)):
        second = blocked(lambda: apply(slug, event("cyd", 5), other, event("bob", 7)))
    assert [receipt.outcome for receipt in outcome(second)] == ["improved", "conflict", "improved"]
    assert outcome(second)[2].best_score == 7
    assert traces(slug) == (["ann", "bob", "cyd"], ["ann", "bob", "cyd"])


def test_a_correction_with_the_id_of_a_result_under_way_is_a_conflict(slug: str) -> None:
    with uncommitted(lambda: apply(slug, event("ann", 10, event_id=f"same-{slug}"))):
        second = blocked(lambda: correct(slug, "bob", 1, event_id=f"same-{slug}"))
    assert isinstance(outcome(second), EventConflict)
    assert traces(slug) == (["ann"], ["ann"])


def test_an_id_is_free_again_when_its_first_user_fails(slug: str) -> None:
    wanted = event("ann", 10)

    with uncommitted(lambda: apply(slug, wanted)) as first:
        second = blocked(lambda: apply(slug, wanted._replace(player_id="bob")))
        assert isinstance(first.fail(), Failure)
    assert outcome(second)[0].outcome == "improved"
    assert traces(slug) == (["bob"], ["bob"])
