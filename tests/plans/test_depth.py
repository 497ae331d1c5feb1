"""What a page or a window costs depends neither on its depth nor on the length of a tie."""

from collections.abc import Callable

import pytest

from tests.plans.big_season import DEPTHS, BigSeason
from tests.plans.cases_of_reads import AGES, READS
from tests.plans.explaining import Explainer

every_age = pytest.mark.parametrize("age", AGES)


@pytest.fixture
def blocks(
    shared: str, big: BigSeason, statistics: str, explainer: Explainer
) -> Callable[[str, str], int]:
    """Return how to count the pages that a read asks for."""

    def counted(statement: str, variant: str) -> int:
        case = READS[statement][variant](big)
        return explainer.plan(case.statement, case.params, using="reads").blocks

    return counted


@every_age
@pytest.mark.parametrize("depth", DEPTHS[1:])
def test_a_page_after_a_place_costs_no_more_than_the_first(
    blocks: Callable[[str, str], int], age: str, depth: int
) -> None:
    first = blocks("players_after", f"0 {age}")
    assert blocks("players_after", f"{depth} {age}") <= 1.5 * first


@every_age
@pytest.mark.parametrize("depth", DEPTHS[1:-1])
def test_a_page_before_a_place_costs_no_more_than_the_last(
    blocks: Callable[[str, str], int], age: str, depth: int
) -> None:
    last = blocks("players_before", f"{DEPTHS[-1]} {age}")
    assert blocks("players_before", f"{depth} {age}") <= 1.5 * last


@pytest.mark.parametrize(
    ("statement", "age"),
    [("neighbours_unless_changed", "now"), *(("neighbours", age) for age in AGES)],
)
@pytest.mark.parametrize("player", ["last", "in_tie", "changed_most"])
def test_a_players_neighbours_cost_no_more_than_those_of_the_first(
    blocks: Callable[[str, str], int], statement: str, age: str, player: str
) -> None:
    first = blocks(statement, f"first {age}")
    assert blocks(statement, f"{player} {age}") <= 1.5 * first
