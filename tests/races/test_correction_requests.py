"""Several people and the match service at once: each request is decided on once."""

from functools import partial
from typing import Any

import pytest

from config.errors import RequestDecided
from scores.models import Best, CorrectionRequest, Ledger
from scores.operations import (
    WantedCorrection,
    approve_correction,
    reject_correction,
    request_correction,
)
from scores.operations import decide_correction as decisions
from scores.rules import Receipt
from scores.steps import until_it_holds
from seasons.models import Season
from tests.factories import apply, event, publish
from tests.people import person
from tests.races.harness import blocked, outcome, together, uncommitted

pytestmark = pytest.mark.race

KINDS: dict[str, dict[str, Any]] = {
    "number": {"kind": "set", "corrected_score": 10},
    "removal": {"kind": "remove"},
    "void": {"kind": "void", "void_event_id": "first"},
}


@pytest.fixture
def slug(season: str) -> str:
    """Give the test a season in which ann has 50 and 40, by two results."""
    apply(season, event("ann", 50, 1, event_id="first"), event("ann", 40, 2))
    publish(season)
    return season


def ask(slug: str, kind: str) -> CorrectionRequest:
    wanted = WantedCorrection(player_id="ann", reason="why", **KINDS[kind])
    return request_correction(slug, wanted, requested_by=person("moderator"))


def stored(slug: str) -> tuple[Any, ...]:
    namespace = Season.objects.get(slug=slug).namespace
    bests = Best.objects.filter(namespace=namespace, player_id="ann")
    return bests.values_list("score", "hidden_score", "removed", "score_version").get()


def corrections() -> int:
    return Ledger.objects.filter(kind_group=1).count()


def deciding(request: CorrectionRequest, how: str) -> Any:
    decide = approve_correction if how == "approve" else reject_correction
    return partial(decide, request.id, decided_by=person("approver"), reason=how)


@pytest.mark.parametrize("first", ["approve", "reject"])
@pytest.mark.parametrize("second", ["approve", "reject"])
def test_the_second_decision_waits_and_is_told_of_the_first(
    slug: str, first: str, second: str
) -> None:
    request = ask(slug, "removal")
    with uncommitted(deciding(request, first)):
        waiting = blocked(deciding(request, second))
    assert isinstance(outcome(waiting), RequestDecided)
    request.refresh_from_db()
    assert request.decision_reason == first
    assert corrections() == (1 if first == "approve" else 0)


def test_of_many_approvers_at_once_one_acts(slug: str) -> None:
    for _ in range(5):
        request, before = ask(slug, "number"), corrections()
        done = together(*(deciding(request, "approve") for _ in range(4)))
        assert sum(isinstance(one, Receipt) for one in done) == 1
        assert sum(isinstance(one, RequestDecided) for one in done) == 3
        assert corrections() == before + 1


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("number", (10, None, False, 3)),
        ("removal", (None, 60, True, 3)),
        ("void", (60, None, False, 3)),
    ],
)
def test_a_result_that_is_being_accepted_comes_before_the_approval(
    slug: str, kind: str, expected: tuple[Any, ...]
) -> None:
    """CASES.md 38."""
    request = ask(slug, kind)
    with uncommitted(lambda: apply(slug, event("ann", 60, 3))):
        waiting = blocked(deciding(request, "approve"))
    assert isinstance(outcome(waiting), Receipt)
    assert stored(slug) == expected
    assert publish(slug).outcome == "published"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("number", (60, None, False, 3)),
        ("removal", (None, 60, True, 3)),
        ("void", (60, None, False, 3)),
    ],
)
def test_a_result_that_arrives_during_the_approval_comes_after_it(
    slug: str, kind: str, expected: tuple[Any, ...]
) -> None:
    """CASES.md 38."""
    request = ask(slug, kind)
    with uncommitted(deciding(request, "approve")):
        waiting = blocked(lambda: apply(slug, event("ann", 60, 3)))
    assert not isinstance(outcome(waiting), Exception)
    assert stored(slug) == expected
    assert publish(slug).outcome == "published"


def test_an_approval_whose_answer_was_lost_is_not_made_twice(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit: the second try finds what the first one did."""
    request = ask(slug, "removal")
    once = until_it_holds

    def twice(attempt: Any) -> Any:
        first = once(attempt)
        second = once(attempt)
        assert second == first._replace(replayed=True)
        return second

    monkeypatch.setattr(decisions, "until_it_holds", twice)
    assert deciding(request, "approve")().replayed
    assert corrections() == 1
