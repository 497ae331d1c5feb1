"""Which is the least that is enough, and what decided."""

from leaderboard.management.capacity import Costs, Machine, Wanted, verdicts_on
from tests.leaderboard.capacity.measured import measured

SMALL = Wanted(players=100e3, updates=100, reads=500)
LARGE = Wanted(players=50e6, updates=200e3, reads=1e6)


def answers(wanted: Wanted, costs: Costs | None = None) -> dict[str, str]:
    return {verdict.budget: verdict.answer for verdict in verdicts_on(wanted, costs or measured())}


def test_a_small_game_needs_no_more_than_a_sorted_set() -> None:
    assert set(answers(SMALL).values()) == {"one sorted set is enough"}


def test_counting_is_enough_while_few_read_and_few_play() -> None:
    assert answers(SMALL, measured(count_star_us__player=0.01))["reads"] == "`COUNT(*)` is enough"
    assert answers(LARGE, measured(count_star_us__player=0.01))["reads"] != "`COUNT(*)` is enough"


def test_more_reads_than_one_machine_answers_go_to_replicas() -> None:
    assert answers(LARGE)["reads"] == "replicas"
    assert answers(LARGE._replace(reads=100e3, updates=10e3))["reads"] == "Laurel on one machine"


def test_more_writes_than_one_machine_takes_go_to_citus() -> None:
    assert answers(LARGE)["writes"] == "Laurel on one machine"
    assert answers(LARGE._replace(windows=4))["writes"] == "Citus"
    tight = LARGE._replace(machine=Machine(log_mb_a_second=100))
    (writes,) = [one for one in verdicts_on(tight, measured()) if one.budget == "writes"]
    assert (writes.answer, writes.limit) == ("Citus", "log 202 of 100 MB/s")
    many = LARGE._replace(players=2e9)
    (writes,) = [one for one in verdicts_on(many, measured()) if one.budget == "writes"]
    assert writes.limit == "the bests do not fit into the memory of one machine"


def test_memory_is_held_against_what_a_machine_has() -> None:
    assert answers(LARGE)["memory"] == "one sorted set is enough"
    assert answers(LARGE._replace(players=2e9))["memory"] == "Citus"
    wide = measured(sorted_set_bytes__player=4_000.0)
    assert answers(LARGE, wide)["memory"] == "Laurel on one machine"


def test_recovery_is_held_against_how_long_one_may_be_away() -> None:
    patient, hasty = Machine(), Machine(recovery_seconds=60)
    assert answers(LARGE._replace(machine=patient))["recovery"] == "one sorted set is enough"
    assert answers(LARGE._replace(machine=hasty))["recovery"] == "replicas"
    # 202 MB/s of log for a quarter of an hour are more than is kept: 64 GB.
    quick = measured(recovery_s__crash=30.0, recovery_mb__redone=65_536.0)
    slow = measured(recovery_s__crash=30.0, recovery_mb__redone=6_553.6)
    assert answers(LARGE._replace(machine=hasty), quick)["recovery"] == "Laurel on one machine"
    (found,) = [
        verdict
        for verdict in verdicts_on(LARGE._replace(machine=hasty), slow)
        if verdict.budget == "recovery"
    ]
    assert found.answer == "replicas"
    assert found.limit == "a crash takes 300 s, boards made anew take 750 s, of 60 s"


def test_what_was_not_measured_here_is_said_to_be_assumed() -> None:
    assert all("assumed: " in verdict.limit for verdict in verdicts_on(SMALL, measured()))
