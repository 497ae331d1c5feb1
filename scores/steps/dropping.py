"""Take tables of a namespace out of use, and drop them: safe to be broken off anywhere."""

from typing import NamedTuple

from config import db

REBUILD_PARTITION_STATE = db.statement(__file__, "rebuild_partition_state")
REBUILD_DETACH_BEST = db.statement(__file__, "rebuild_detach_best")
REBUILD_FINISH_BEST = db.statement(__file__, "rebuild_finish_best")
REBUILD_DROP_BEST = db.statement(__file__, "rebuild_drop_best")
REBUILD_DETACH_UNDO = db.statement(__file__, "rebuild_detach_undo")
REBUILD_FINISH_UNDO = db.statement(__file__, "rebuild_finish_undo")
REBUILD_DROP_UNDO = db.statement(__file__, "rebuild_drop_undo")
RETIRE_DETACH_LEDGER = db.statement(__file__, "retire_detach_ledger")
RETIRE_FINISH_LEDGER = db.statement(__file__, "retire_finish_ledger")
RETIRE_DROP_LEDGER = db.statement(__file__, "retire_drop_ledger")


class PartitionState(NamedTuple):
    """How a table stands to its parent."""

    attached: bool
    pending: bool


class Dropping(NamedTuple):
    """The statements that take one kind of partition out, finish that, and drop the table."""

    parent: str
    detach: db.Statement
    finish: db.Statement
    drop: db.Statement


BESTS = Dropping("scores_best", REBUILD_DETACH_BEST, REBUILD_FINISH_BEST, REBUILD_DROP_BEST)
UNDO = Dropping("scores_undo", REBUILD_DETACH_UNDO, REBUILD_FINISH_UNDO, REBUILD_DROP_UNDO)
LEDGER = Dropping("scores_ledger", RETIRE_DETACH_LEDGER, RETIRE_FINISH_LEDGER, RETIRE_DROP_LEDGER)


def drop_bests(namespace: int) -> None:
    """Drop bests and undo of a namespace that nobody uses any more; not in a transaction."""
    for partition in (BESTS, UNDO):
        drop_partition(partition, namespace)


def drop_ledger(namespace: int) -> None:
    """Drop the ledger of a season that is retired; not in a transaction."""
    drop_partition(LEDGER, namespace)


def drop_partition(partition: Dropping, namespace: int) -> None:
    """Detach a partition without making anybody wait, and drop it; what was done is left out."""
    name = f"{partition.parent}_n{namespace}"
    found = db.fetch_one(PartitionState, REBUILD_PARTITION_STATE, name=name)
    if found is None:
        return
    if found.attached:
        statement = partition.finish if found.pending else partition.detach
        db.run_script(statement.literal(namespace=namespace))
    db.run_script(partition.drop.literal(namespace=namespace))
