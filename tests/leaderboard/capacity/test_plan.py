"""The arithmetic of a plan."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.management.capacity import Costs, Machine, Missing, Row, Wanted, plan_for
from leaderboard.management.capacity.plan import freshness_of, load_of, period_of
from tests.leaderboard.capacity.measured import kept, measured

WANTED = Wanted(players=50e6, updates=200e3, reads=1e6)
LOADS = st.builds(
    Wanted,
    players=st.floats(1e3, 1e9),
    updates=st.floats(1, 1e7),
    reads=st.floats(1, 1e8),
    improve=st.floats(0, 1),
    top_share=st.floats(0, 1),
    headroom=st.floats(0, 0.9),
    windows=st.integers(1, 8),
    machine=st.just(Machine()),
)
FACTORS = st.floats(1, 10)


def rows_of(wanted: Wanted, costs: Costs | None = None) -> dict[str, Row]:
    return {row.name: row for row in plan_for(wanted, costs or measured())}


def test_cores_are_requests_times_their_cost_with_the_headroom_on_top() -> None:
    rows = rows_of(WANTED)
    # Half of a million reads cost 50 µs and half 250 µs, on cores that are half full.
    assert rows["web cores, reading"].value == pytest.approx(2 * (0.5 * 50 + 0.5 * 250))
    assert rows["database cores, reading"].value == pytest.approx(2 * 0.5 * 50)
    assert rows["web cores, writing"].value == pytest.approx(2 * 0.2 * 20)
    assert rows["database cores, applying"].value == pytest.approx(2 * 0.2 * 50)
    publishing = 0.05 + 0.05 + 20_000 * 4e-6
    assert rows["database cores, publishing"].value == pytest.approx(2 * publishing)


def test_the_cost_of_a_result_lies_on_the_line_through_what_was_measured() -> None:
    costs = measured()
    assert costs.of_result("db_us", 0.1) == pytest.approx(50)
    assert costs.of_result("db_us", 1.0) == pytest.approx(100)
    assert costs.of_result("db_us", 0.55) == pytest.approx(75)
    assert costs.of_result("db_us", 0.0) == pytest.approx(50 - 100 / 18)


def test_each_window_is_applied_stored_and_published_for_itself() -> None:
    one, four = load_of(WANTED, measured()), load_of(WANTED._replace(windows=4), measured())
    assert four.database_writes == pytest.approx(4 * one.database_writes)
    assert four.publishing == pytest.approx(4 * one.publishing)
    assert four.log == pytest.approx(4 * one.log)
    assert four.database_reads == one.database_reads


def test_the_bounds_of_bare_events_stand_beside() -> None:
    rows = rows_of(WANTED)
    assert rows["log of the database"].bound.startswith("25.6 MB/s")
    assert rows["ledger a day"].bound.startswith("2.21 TB")
    assert rows["log a day"].bound.startswith("6.64 TB")


def test_a_result_touches_three_pages_at_random_and_five_if_it_improves() -> None:
    ten_thousand = WANTED._replace(updates=1e4, improve=0.1, windows=1)
    assert rows_of(ten_thousand)["pages at random"].value == pytest.approx(32_000)
    assert rows_of(ten_thousand._replace(improve=1))["pages at random"].value == 50_000
    assert rows_of(ten_thousand._replace(windows=4))["pages at random"].value == 128_000


def test_more_than_a_machine_writes_is_shared_and_reads_go_to_replicas() -> None:
    small = Wanted(players=1e5, updates=1e3, reads=1e3)
    assert rows_of(small)["machines written to"].value == 1
    assert rows_of(small)["replicas read from"].value == 0
    many = small._replace(updates=2e6)
    assert rows_of(many)["machines written to"].value > 1
    assert rows_of(small._replace(reads=1e7))["replicas read from"].value > 1


def test_a_publisher_that_cannot_keep_up_is_told_as_never() -> None:
    assert period_of(WANTED._replace(updates=3e6), measured()) == math.inf
    assert period_of(WANTED, measured()) == 1.0
    slower = measured(publish_s__fixed=1.5)
    assert period_of(WANTED, slower) == pytest.approx(1.5 / 0.9)
    assert freshness_of(WANTED, slower) == pytest.approx(2 * 1.5 / 0.9)


def test_every_row_names_what_it_rests_on() -> None:
    for row in plan_for(WANTED, measured()):
        assert row.assumption
        assert row.basis in {"measured", "extrapolated", "assumed"}


@pytest.mark.parametrize("key", sorted(set(kept()) - {"rebuild_us.player"}))
def test_a_cost_that_is_missing_is_named_with_the_command_that_measures_it(key: str) -> None:
    costs = Costs({name: cost for name, cost in kept().items() if name != key})
    with pytest.raises(Missing, match=f"{key} was not measured: make benchmark"):
        plan_for(WANTED, costs)


@given(LOADS, FACTORS)
def test_more_of_anything_never_needs_less(wanted: Wanted, factor: float) -> None:
    before = rows_of(wanted)
    for name in ("players", "updates", "reads"):
        more = wanted._replace(**{name: getattr(wanted, name) * factor})
        for row in plan_for(more, measured()):
            assert row.value >= before[row.name].value * (1 - 1e-9)


@given(LOADS, st.integers(1, 8))
def test_larger_machines_are_never_more(wanted: Wanted, factor: int) -> None:
    machine = Machine()
    larger = wanted._replace(
        machine=Machine(
            machine.cores * factor,
            machine.memory_gb * factor,
            machine.log_mb_a_second * factor,
        )
    )
    before, after = rows_of(wanted), rows_of(larger)
    for name in ("machines written to", "replicas read from"):
        assert after[name].value <= before[name].value
