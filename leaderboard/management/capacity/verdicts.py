"""For each budget the least that is enough, and the limit that decided."""

from typing import NamedTuple

from leaderboard.management.capacity.costs import Costs
from leaderboard.management.capacity.plan import (
    Load,
    bytes_of_bests,
    load_of,
    period_of,
    replicas_of,
    room_in_memory,
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
# As the embedded server is set: whichever comes first.
CHECKPOINT_SECONDS, LARGEST_LOG_MB = 900.0, 65_536.0
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
    room = room_in_memory(wanted)
    each, source = _or_assumed(costs, "sorted_set_bytes.player", ASSUMED_MEMBER_BYTES)
    in_set = wanted.players * wanted.windows * each
    bests = bytes_of_bests(wanted, costs)
    if in_set <= room:
        return Verdict("memory", SORTED_SET, f"{in_set / GB:,.1f} of {room / GB:,.0f} GB{source}")
    if bests <= room:
        return Verdict("memory", ONE, f"its bests take {bests / GB:,.1f} of {room / GB:,.0f} GB")
    return Verdict(
        "memory", CITUS, f"the bests take {bests / GB:,.1f} GB, there are {room / GB:,.0f}"
    )


def _writes(wanted: Wanted, costs: Costs, load: Load) -> Verdict:
    rate, source = _or_assumed(costs, "sorted_set_1s.write", ASSUMED_SETS_A_SECOND)
    room = rate * (1 - wanted.headroom)
    if wanted.results <= room:
        limit = f"{wanted.results:,.0f} of {room:,.0f} a second{source}"
        return Verdict("writes", SORTED_SET, limit)
    cores, machine = wanted.cores(load.database_writing), wanted.machine
    log = load.log / 1e6
    if period_of(wanted, costs) > LONGEST_PERIOD:
        return Verdict("writes", CITUS, "one publisher would not keep up with the changes")
    if log > machine.log_mb_a_second:
        return Verdict("writes", CITUS, f"log {log:,.0f} of {machine.log_mb_a_second:,.0f} MB/s")
    if bytes_of_bests(wanted, costs) > room_in_memory(wanted):
        return Verdict("writes", CITUS, "the bests do not fit into the memory of one machine")
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
    rate, source = _or_assumed(costs, "sorted_set_1s.rank", ASSUMED_SETS_A_SECOND)
    room = rate * (1 - wanted.headroom)
    if wanted.reads <= room:
        return Verdict("reads", SORTED_SET, f"{wanted.reads:,.0f} of {room:,.0f} a second{source}")
    cores = wanted.cores(load.database_reads)
    if replicas := replicas_of(wanted, load):
        free = max(0.0, machine.cores - wanted.cores(load.database_writing))
        return Verdict(
            "reads", REPLICAS, f"{cores:,.0f} cores to read, {free:,.0f} are free: {replicas} more"
        )
    return Verdict("reads", ONE, f"{cores:,.0f} of {machine.cores} cores")


def _recovery(wanted: Wanted, costs: Costs, load: Load) -> Verdict:
    limit = wanted.machine.recovery_seconds
    rate, source = _or_assumed(costs, "sorted_set_1s.load", ASSUMED_LOADED_A_SECOND)
    reload = wanted.players * wanted.windows / rate
    if reload <= limit:
        return Verdict(
            "recovery", SORTED_SET, f"it loads in {reload:,.0f} s of {limit:,.0f} s{source}"
        )
    rebuilt = costs.of("rebuild_us.player") * wanted.players * wanted.windows / 1e6
    anew = f"boards made anew take {rebuilt:,.0f} s"
    after = seconds_after_crash(costs, load)
    if after is not None and after <= limit:
        return Verdict("recovery", ONE, f"back {after:,.0f} s after a crash; {anew}")
    crash = "" if after is None else f"a crash takes {after:,.0f} s, "
    return Verdict("recovery", REPLICAS, f"{crash}{anew}, of {limit:,.0f} s")


def seconds_after_crash(costs: Costs, load: Load) -> float | None:
    """
    Return how long the log since the last checkpoint takes to be repeated; None: not measured.

    As long for each byte as was measured, of as much log as 15 minutes or the largest allowed are.
    """
    measured, redone = costs.known("recovery_s.crash"), costs.known("recovery_mb.redone")
    if measured is None or not redone:
        return None
    log = min(load.log / 1e6 * CHECKPOINT_SECONDS, LARGEST_LOG_MB)
    return measured * max(1.0, log / redone)


def _or_assumed(costs: Costs, key: str, assumed: float) -> tuple[float, str]:
    """Return what was measured, or what is assumed and the words that say so."""
    measured = costs.known(key)
    return (assumed, f" (assumed: {assumed:,.0f})") if measured is None else (measured, "")
