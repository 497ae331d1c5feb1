"""A result while its player is corrected, voided or removed: one of the two orders, whole."""

from functools import partial
from typing import Any

import pytest

from scores.models import Best, Ledger
from seasons.models import Season
from tests.factories import apply, correct, event, publish
from tests.races.harness import blocked, outcome, stopped, together, uncommitted

pytestmark = pytest.mark.race


def stored(slug: str) -> tuple[Any, ...]:
    """Return what ann's best is: shown, hidden, removed, version, changes."""
    namespace = Season.objects.get(slug=slug).namespace
    bests = Best.objects.filter(namespace=namespace, player_id="ann")
    return bests.values_list(
        "score", "hidden_score", "removed", "score_version", "change_no"
    ).get()


def chain(slug: str) -> list[tuple[Any, ...]]:
    namespace = Season.objects.get(slug=slug).namespace
    rows = Ledger.objects.filter(namespace=namespace, player_id="ann", change_no__isnull=False)
    return list(rows.order_by("id").values_list("change_no", "old_score", "new_score"))


def require_chain(slug: str) -> None:
    """Each change begins where the one before ended."""
    numbers, olds, news = zip(*chain(slug), strict=True)
    assert list(numbers) == list(range(1, len(numbers) + 1))
    assert list(olds) == [None, *news[:-1]]


def write(slug: str, kind: str, version: int) -> Any:
    match kind:
        case "result":
            return apply(slug, event("ann", 60, version))
        case "number":
            return correct(slug, "ann", version, corrected_score=10)
        case "removal":
            return correct(slug, "ann", version)
        case _:
            return correct(slug, "ann", version, void_event_id=f"{slug}-first")


@pytest.fixture
def slug(slug: str) -> str:
    """Give the test a season in which ann has 50 and 40, by two results."""
    first = event("ann", 50, 1, event_id=f"{slug}-first")
    apply(slug, first, event("ann", 40, 2))
    publish(slug)
    return slug


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        ("result 3", "number 4", (10, None, False, 4, 4)),
        ("number 3", "result 4", (60, None, False, 4, 4)),
        ("result 3", "removal 4", (None, 60, True, 4, 4)),
        ("removal 3", "result 4", (None, 60, True, 4, 4)),
        ("result 3", "void 4", (60, None, False, 4, 4)),
        ("void 3", "result 4", (60, None, False, 4, 4)),
        ("number 3", "void 4", (10, None, False, 4, 4)),
        ("removal 3", "void 4", (None, 40, True, 4, 4)),
        ("void 3", "removal 4", (None, 40, True, 4, 4)),
        ("result 4", "number 3", (60, None, False, 4, 3)),
        ("number 4", "result 3", (10, None, False, 4, 3)),
        ("void 4", "result 3", (40, None, False, 4, 3)),
    ],
)
def test_the_second_one_goes_on_from_what_the_first_one_left(
    slug: str, earlier: str, later: str, expected: tuple[Any, ...]
) -> None:
    (first, first_version), (second, second_version) = earlier.split(), later.split()
    with uncommitted(lambda: write(slug, first, int(first_version))):
        waiting = blocked(lambda: write(slug, second, int(second_version)))
    assert not isinstance(outcome(waiting), Exception)
    assert stored(slug) == expected
    require_chain(slug)


@pytest.mark.parametrize("kind", ["number", "removal", "void"])
def test_nobody_changes_a_best_that_a_correction_has_read(slug: str, kind: str) -> None:
    def before_it_writes(_: int, statement: str) -> bool:
        return statement.startswith("UPDATE scores_best")

    with stopped(lambda: write(slug, kind, 3), before_it_writes):
        waiting = blocked(lambda: write(slug, "result", 4))
    assert outcome(waiting)[0].outcome == "improved"
    require_chain(slug)


def test_a_first_result_and_a_first_correction_at_once_are_both_in_the_chain(slug: str) -> None:
    for turn in range(10):
        player = f"new-{turn}"
        done = together(
            partial(apply, slug, event(player, 7, 1)),
            partial(correct, slug, player, 2, corrected_score=5),
        )
        assert not any(isinstance(receipt, Exception) for receipt in done)
        best = Best.objects.get(
            namespace=Season.objects.get(slug=slug).namespace, player_id=player
        )
        assert (best.score, best.score_version) == (5, 2)
    assert publish(slug).outcome == "published"


def test_many_kinds_of_writes_to_one_player_leave_one_chain(slug: str) -> None:
    def play(turn: int) -> None:
        for version in range(3 + turn, 63, 4):
            kind = ("result", "number", "removal", "void")[version % 4]
            assert write(slug, kind, version)

    assert together(*[partial(play, turn) for turn in range(4)]) == [None] * 4
    require_chain(slug)
    assert publish(slug).outcome == "published"
