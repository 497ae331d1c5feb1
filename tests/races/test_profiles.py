"""Several services say something of a player at once: the newest version is what remains."""

from functools import partial
from typing import Any

import pytest

from scores import models
from scores.operations import set_profiles
from scores.rules import Profile
from tests.races.harness import Failure, blocked, outcome, together, uncommitted

pytestmark = pytest.mark.race


def saying(*profiles: tuple[str, str | None, int]) -> Any:
    return partial(set_profiles, [Profile(*profile) for profile in profiles])


def stored(player_id: str = "ann") -> tuple[Any, ...]:
    rows = models.Profile.objects.filter(player_id=player_id)
    return rows.values_list("region", "profile_version").get()


@pytest.mark.parametrize("known", [[], [("ann", None, 1)]], ids=["unknown", "known"])
@pytest.mark.parametrize(
    ("first", "second", "expected", "outcome_of_second"),
    [
        (("ann", "EU", 2), ("ann", "NA", 3), ("NA", 3), "stored"),
        (("ann", "NA", 3), ("ann", "EU", 2), ("NA", 3), "conflict"),
        (("ann", "EU", 2), ("ann", "NA", 2), ("EU", 2), "conflict"),
        (("ann", "EU", 2), ("ann", "EU", 2), ("EU", 2), "stored"),
    ],
)
def test_a_profile_waits_for_another_of_its_player_and_knows_of_it(
    database: str, known: Any, first: Any, second: Any, expected: Any, outcome_of_second: str
) -> None:
    saying(*known)()
    with uncommitted(saying(first)):
        waiting = blocked(saying(second))
    (done,) = outcome(waiting)
    assert done.outcome == outcome_of_second
    assert (done.stored.region, done.stored.profile_version) == stored() == expected


def test_a_profile_that_conflicts_keeps_its_row_locked_too(database: str) -> None:
    saying(("ann", "EU", 5))()
    with uncommitted(saying(("ann", "NA", 4))):
        waiting = blocked(saying(("ann", "NA", 6)))
    assert outcome(waiting)[0].outcome == "stored"
    assert stored() == ("NA", 6)


def test_a_profile_whose_transaction_fails_leaves_nothing(database: str) -> None:
    with uncommitted(saying(("ann", "EU", 5))) as first:
        waiting = blocked(saying(("ann", "NA", 4)))
        assert isinstance(first.fail(), Failure)
    assert outcome(waiting)[0].outcome == "stored"
    assert stored() == ("NA", 4)


def test_batches_in_opposite_orders_never_wait_in_a_circle(database: str) -> None:
    players = [f"player-{number}" for number in range(200)]
    for version in range(1, 6):
        there = [(player, "EU", version) for player in players]
        back = [(player, "EU", version) for player in reversed(players)]
        for done in together(saying(*there), saying(*back)):
            assert {one.outcome for one in done} == {"stored"}
