"""How many machines, how much memory, disk and network, and how fresh the boards are."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from leaderboard.management.capacity.costs import Costs
from leaderboard.management.capacity.rows import ASSUMED, EXTRAPOLATED, MEASURED, Row
from leaderboard.management.capacity.wanted import Wanted

BARE_EVENT_BYTES = 128
REPLICAS_OF_THE_BOUND = 3
SECONDS_A_DAY = 86_400
UNDO_KEPT_SECONDS = 120
EPOCH_SECONDS = 1.0
REQUEST_BYTES = 260
PLAYERS_OF_A_BUCKET = 1_000
DAYS_OF_A_SEASON = 90
PAGES_OF_A_RESULT, PAGES_OF_AN_IMPROVEMENT = 3, 2
GB, TB = 1e9, 1e12


class Load(NamedTuple):
    """What the machines do: seconds of processors a second, and bytes a second of the log."""

    web_writes: float
    web_reads: float
    database_writes: float
    database_reads: float
    publishing: float
    log: float

    @property
    def database_writing(self) -> float:
        """What only the machine that is written to can do."""
        return self.database_writes + self.publishing


def load_of(wanted: Wanted, costs: Costs) -> Load:
    """Return what applying, publishing and reading come to."""
    results, reads, tops = wanted.results, wanted.reads, wanted.top_share
    web_read = tops * costs.of("web_us.top") + (1 - tops) * costs.of("web_us.rank")
    database_read = tops * costs.of("db_us.top") + (1 - tops) * costs.of("db_us.rank")
    published = publication(costs, "publish_cpu_s", wanted.changes)
    published += publication(costs, "publish_db_s", wanted.changes)
    written = publication(costs, "publish_wal_bytes", wanted.changes)
    return Load(
        web_writes=results * costs.of_result("web_us", wanted.improve) / 1e6,
        web_reads=reads * web_read / 1e6,
        database_writes=results * costs.of_result("db_us", wanted.improve) / 1e6,
        database_reads=reads * database_read / 1e6,
        publishing=wanted.windows * published,
        log=results * costs.of_result("wal_bytes", wanted.improve) + wanted.windows * written,
    )


def writers_of(wanted: Wanted, costs: Costs, load: Load) -> int:
    """Return how many machines share the writing: one, or so many workers of a cluster."""
    by_cores = wanted.cores(load.database_writing) / wanted.machine.cores
    by_log = load.log / 1e6 / wanted.machine.log_mb_a_second
    by_memory = bytes_of_bests(wanted, costs) / room_in_memory(wanted)
    return max(1, math.ceil(max(by_cores, by_log, by_memory)))


def replicas_of(wanted: Wanted, load: Load) -> int:
    """Return how many replicas answer the reads that the writing machine has no room for."""
    room = max(0.0, wanted.machine.cores - wanted.cores(load.database_writing))
    left = wanted.cores(load.database_reads) - room
    return max(0, math.ceil(left / wanted.machine.cores))


def room_in_memory(wanted: Wanted) -> float:
    """Return the bytes of a machine's memory that are not to stay free."""
    return wanted.machine.memory_bytes * (1 - wanted.headroom)


def bytes_of_bests(wanted: Wanted, costs: Costs) -> float:
    """Return the bytes of the bests of all seasons, which should stay in memory."""
    return wanted.players * wanted.windows * costs.of("stored_bytes.best")


def pages_at_random(wanted: Wanted) -> float:
    """
    Return the pages a second that results touch anywhere in a table or index.

    Of each result those of its event and its player in the ledger's indexes and its best; of one
    that improves also the best's two index entries.
    """
    improved = wanted.changes * wanted.windows
    return PAGES_OF_A_RESULT * wanted.results + PAGES_OF_AN_IMPROVEMENT * improved


def period_of(wanted: Wanted, costs: Costs) -> float:
    """
    Return the seconds from one version to the next; infinite if publishing never catches up.

    A publication takes fixed + changes x each; while it takes longer than an epoch, the changes
    of that longer time are in the next one.
    """
    each = wanted.changes * costs.of("publish_s.change")
    if each >= 1:
        return math.inf
    return max(EPOCH_SECONDS, costs.of("publish_s.fixed") / (1 - each))


def freshness_of(wanted: Wanted, costs: Costs) -> float:
    """Return the seconds within which nearly every result shows: a period and a publication."""
    period = period_of(wanted, costs)
    return period + publication(costs, "publish_s", wanted.changes * period)


def publication(costs: Costs, what: str, changes: float) -> float:
    """Return what a publication of so many changes takes."""
    return costs.of(f"{what}.fixed") + changes * costs.of(f"{what}.change")


def plan_for(wanted: Wanted, costs: Costs) -> list[Row]:
    """Return all rows; raise Missing if a cost was never measured."""
    load = load_of(wanted, costs)
    return [
        *_processors(wanted, costs, load),
        *_memory(wanted, costs),
        *_disk(wanted, costs, load),
        *_network(wanted, costs),
        *_boards(wanted, costs),
        *_known(wanted, costs),
    ]


def _processors(wanted: Wanted, costs: Costs, load: Load) -> list[Row]:
    free = f"{wanted.headroom:.0%} of each core stays free"
    mix = f"{wanted.top_share:.0%} of the reads ask for the top, the others for a rank"
    improve = f"{wanted.improve:.0%} of the results improve; each counts in {wanted.windows}"
    size = f"a machine has {wanted.machine.cores} cores"
    rows = [
        ("web cores, writing", load.web_writes, f"{improve}; batches of 1,000; {free}"),
        ("web cores, reading", load.web_reads, f"{mix}; {free}"),
        ("database cores, applying", load.database_writes, f"{improve}; {free}"),
        ("database cores, publishing", load.publishing, f"a version a second; {free}"),
        ("database cores, reading", load.database_reads, f"{mix}; {free}"),
    ]
    machines = [
        (
            "machines written to",
            writers_of(wanted, costs, load),
            "more than one: workers of Citus",
        ),
        ("replicas read from", replicas_of(wanted, load), "what the writing leaves is read from"),
    ]
    return [
        *(Row(name, wanted.cores(spent), "cores", why, EXTRAPOLATED) for name, spent, why in rows),
        *(Row(name, count, "", f"{why}; {size}", ASSUMED) for name, count, why in machines),
    ]


def _memory(wanted: Wanted, costs: Costs) -> list[Row]:
    bests = bytes_of_bests(wanted, costs)
    changes = wanted.changes * wanted.windows * UNDO_KEPT_SECONDS
    undo = changes * (costs.known("stored_bytes.undo") or costs.of("stored_bytes.best"))
    return [
        Row("bests with their indexes", bests / GB, "GB", "all in memory", EXTRAPOLATED),
        Row("undo", undo / GB, "GB", f"kept {UNDO_KEPT_SECONDS} s", EXTRAPOLATED),
        Row(
            "pages at random",
            pages_at_random(wanted),
            "1/s",
            "read and written if bests and the ledger's indexes by event and by player are not "
            "in memory; ids that grow with time save one of an event",
            ASSUMED,
        ),
        Row(
            "a web process",
            costs.of("memory_mb.web"),
            "MB",
            "whatever the number of players",
            MEASURED,
        ),
    ]


def _disk(wanted: Wanted, costs: Costs, load: Load) -> list[Row]:
    bare = wanted.updates * BARE_EVENT_BYTES
    day = bare * SECONDS_A_DAY
    copies = REPLICAS_OF_THE_BOUND
    ledger = wanted.results * costs.of("stored_bytes.event") * SECONDS_A_DAY
    return [
        Row(
            "ledger a day",
            ledger / TB,
            "TB",
            "every event is kept, a row for each of its seasons",
            EXTRAPOLATED,
            f"{day / TB:.2f} TB of bare events of {BARE_EVENT_BYTES} bytes",
        ),
        Row(
            "log of the database",
            load.log / 1e6,
            "MB/s",
            "pages written whole after a checkpoint included, as measured",
            EXTRAPOLATED,
            f"{bare / 1e6:.1f} MB/s of bare events",
        ),
        Row(
            "log a day",
            load.log * SECONDS_A_DAY / TB,
            "TB",
            "kept as long as the backups say",
            EXTRAPOLATED,
            f"{copies * day / TB:.2f} TB of bare events on {copies} replicas",
        ),
    ]


def _network(wanted: Wanted, costs: Costs) -> list[Row]:
    tops = wanted.top_share
    reply = tops * costs.of("reply_bytes.top") + (1 - tops) * costs.of("reply_bytes.rank")
    return [
        Row("replies", wanted.reads * reply * 8 / 1e9, "Gbit/s", "not compressed", EXTRAPOLATED),
        Row(
            "events in",
            wanted.updates * REQUEST_BYTES * 8 / 1e9,
            "Gbit/s",
            f"{REQUEST_BYTES} bytes of JSON each",
            ASSUMED,
        ),
    ]


def _known(wanted: Wanted, costs: Costs) -> Iterator[Row]:
    """Return the rows of what was measured besides; what was not is left out."""
    if (memory := costs.known("memory_mb.worker")) is not None:
        yield Row("a worker that publishes", memory, "MB", "one for each season", MEASURED)
    if (memory := costs.known("memory_mb.db")) is not None:
        why = "all processes of the database as measured, shared buffers included"
        yield Row("database processes", memory, "MB", why, MEASURED)
    if (each := costs.known("snapshot_s.gb")) is not None:
        size = bytes_of_bests(wanted, costs) / GB
        why = "bests alone, by one pg_basebackup; the ledger comes on top"
        yield Row("a snapshot of the bests", each * size, "s", why, EXTRAPOLATED)
    if (late := costs.known("replication_ms.p99")) is not None:
        why = "p99 at the highest load measured, which may be below this one"
        yield Row("a replica behind", late, "ms", why, MEASURED)


def _boards(wanted: Wanted, costs: Costs) -> list[Row]:
    buckets = wanted.players / PLAYERS_OF_A_BUCKET
    return [
        Row(
            "buckets, ordered board",
            buckets,
            "",
            f"split at twice {PLAYERS_OF_A_BUCKET:,} players; counted boards never split",
            ASSUMED,
        ),
        Row(
            "splits of buckets a day",
            buckets / DAYS_OF_A_SEASON,
            "",
            f"all players join evenly in {DAYS_OF_A_SEASON} days; ordered boards only",
            ASSUMED,
        ),
        Row(
            "from one version to the next",
            period_of(wanted, costs),
            "s",
            "at least an epoch of 1 s; each season has a publisher",
            EXTRAPOLATED,
        ),
        Row(
            "accepted to visible",
            freshness_of(wanted, costs),
            "s",
            "a whole period and a publication: nearly every result is faster",
            EXTRAPOLATED,
            "5 s promised",
        ),
    ]
