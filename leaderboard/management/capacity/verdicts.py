"""For each budget the least that is enough, and the limit that decided."""

from typing import NamedTuple

from leaderboard.management.capacity.costs import Costs
from leaderboard.management.capacity.plan import (
    Load,
    bytes_of_bests,
    load_of,
    period_of,
    replicas_of,
    writers_of,
)
from leaderboard.management.capacity.wanted import Wanted

SORTED_SET, COUNT_STAR = "one sorted set is enough", "`COUNT(*)` is enough"
ONE, REPLICAS, CITUS = "Laurel on one machine", "replicas", "Citus"
# Where nobody has measured them here: what is commonly seen of one server of sorted sets.
ASSUMED_MEMBER_BYTES = 120.0
ASSUMED_SETS_A_SECOND = 100_000.0
ASSUMED_LOADED_A_SECOND = 300_000.0
LONGEST_PERIOD = 4.0
GB = 1e9


class Verdict(NamedTuple):
    """What a budget asks for, and why."""

    budget: str
    answer: str
    limit: str


def verdicts_on(wanted: Wanted, costs: Costs) -> list[Verdict]:
    """
    Return a verdict for memory, writes, reads and recovery.

    A sorted set keeps ranks, not receipts, versions or a ledger: it is named where it has room.
    """
    load = load_of(wanted, costs)
    return [
        _memory(wanted, costs),
        _writes(wanted, costs, load),
        _reads(wanted, costs, load),
        _recovery(wanted, costs, load),
    ]


def _memory(wanted: Wanted, costs: Costs) -> Verdict:
    room = wanted.machine.memory_bytes * (1 - wanted.headroom)
    each = costs.known("sorted_set_bytes.player") or ASSUMED_MEMBER_BYTES
    in_set = wanted.players * wanted.windows * each
    bests = bytes_of_bests(wanted, costs)
    if in_set <= room:
        return Verdict("memory", SORTED_SET, f"{in_set / GB:,.1f} of {room / GB:,.0f} GB")
    if bests <= room:
        return Verdict("memory", ONE, f"its bests take {bests / GB:,.1f} of {room / GB:,.0f} GB")
    return Verdict(
        "memory", CITUS, f"the bests take {bests / GB:,.1f} GB, there are {room / GB:,.0f}"
    )


def _writes(wanted: Wanted, costs: Costs, load: Load) -> Verdict:
    room = (costs.known("sorted_set_1s.write") or ASSUMED_SETS_A_SECOND) * (1 - wanted.headroom)
    if wanted.results <= room:
        return Verdict("writes", SORTED_SET, f"{wanted.results:,.0f} of {room:,.0f} a second")
    cores, machine = wanted.cores(load.database_writing), wanted.machine
    log = load.log / 1e6
    if period_of(wanted, costs) > LONGEST_PERIOD:
        return Verdict("writes", CITUS, "one publisher would not keep up with the changes")
    if log > machine.log_mb_a_second:
        return Verdict("writes", CITUS, f"log {log:,.0f} of {machine.log_mb_a_second:,.0f} MB/s")
    if writers_of(wanted, costs, load) > 1:
        return Verdict(
            "writes", CITUS, f"{cores:,.0f} cores to write, a machine has {machine.cores}"
        )
    return Verdict("writes", ONE, f"{cores:,.0f} of {machine.cores} cores")


def _reads(wanted: Wanted, costs: Costs, load: Load) -> Verdict:
    machine = wanted.machine
    each = costs.known("count_star_us.player")
    counted = None if each is None else wanted.cores(wanted.reads * each * wanted.players / 1e6)
    if counted is not None and counted <= machine.cores:
        return Verdict("reads", COUNT_STAR, f"{counted:,.1f} of {machine.cores} cores")
    room = (costs.known("sorted_set_1s.rank") or ASSUMED_SETS_A_SECOND) * (1 - wanted.headroom)
    if wanted.reads <= room:
        return Verdict("reads", SORTED_SET, f"{wanted.reads:,.0f} of {room:,.0f} a second")
    cores = wanted.cores(load.database_reads)
    if replicas := replicas_of(wanted, load):
        free = max(0.0, machine.cores - wanted.cores(load.database_writing))
        return Verdict(
            "reads", REPLICAS, f"{cores:,.0f} cores to read, {free:,.0f} are free: {replicas} more"
        )
    return Verdict("reads", ONE, f"{cores:,.0f} of {machine.cores} cores")


def _recovery(wanted: Wanted, costs: Costs, load: Load) -> Verdict:
    limit = wanted.machine.recovery_seconds
    loaded = costs.known("sorted_set_1s.load") or ASSUMED_LOADED_A_SECOND
    reload = wanted.players * wanted.windows / loaded
    if reload <= limit:
        return Verdict("recovery", SORTED_SET, f"it loads in {reload:,.0f} s of {limit:,.0f} s")
    after = costs.known("recovery_s.crash")
    rebuilt = costs.of("rebuild_us.player") * wanted.players / 1e6
    if after is not None and after <= limit:
        return Verdict(
            "recovery",
            ONE,
            f"back {after:,.0f} s after a crash; boards made anew in {rebuilt:,.0f} s",
        )
    return Verdict(
        "recovery", REPLICAS, f"boards made anew take {rebuilt:,.0f} s of {limit:,.0f} s"
    )
