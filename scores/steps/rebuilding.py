"""Bests and undo of a new namespace: folded from the ledger, or copied and folded on."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from config import db
from scores.queries.accepted_events import Accepted, decided_events
from scores.rules import MATCH_SERVICE, Fold, states

REBUILD_OPEN = db.statement(__file__, "rebuild_open")
REBUILD_CREATE_BESTS = db.statement(__file__, "rebuild_create_bests")
REBUILD_INDEX_BESTS = db.statement(__file__, "rebuild_index_bests")
REBUILD_ATTACH_BESTS = db.statement(__file__, "rebuild_attach_bests")
REBUILD_FOLD_RESULTS = db.statement(__file__, "rebuild_fold_results")
REBUILD_COPY_BESTS = db.statement(__file__, "rebuild_copy_bests")
REBUILD_CREATE_CHANGED = db.statement(__file__, "rebuild_create_changed")
REBUILD_LIST_CHANGED = db.statement(__file__, "rebuild_list_changed")
REBUILD_LIST_DECIDED = db.statement(__file__, "rebuild_list_decided")
REBUILD_DROP_CHANGED = db.statement(__file__, "rebuild_drop_changed")
REBUILD_REFOLD_RESULTS = db.statement(__file__, "rebuild_refold_results")
REBUILD_DELETE_UNDO = db.statement(__file__, "rebuild_delete_undo")
REBUILD_UNDO_OF_RESULTS = db.statement(__file__, "rebuild_undo_of_results")
REBUILD_WRITE_BESTS = db.statement(__file__, "rebuild_write_bests")
REBUILD_WRITE_UNDO = db.statement(__file__, "rebuild_write_undo")

# An epoch has to fit below a score in one integer of 64 bits.
HIGHEST_EPOCH = 2**33 - 1


class Refill(NamedTuple):
    """Where bests are made, from which ledger, and which versions their undo has to serve."""

    namespace: int
    ledger_namespace: int
    base: int = 0


class FoldedBest(NamedTuple):
    """What a player's events fold to, as the bests keep it."""

    player_id: str
    score: int | None
    hidden_score: int | None
    removed: bool
    score_version: int
    revision: int
    epoch: int
    change_no: int


class FoldedUndo(NamedTuple):
    """What a best showed between two epochs that changed it."""

    player_id: str
    from_epoch: int
    to_epoch: int
    score: int


@contextmanager
def refilling() -> Iterator[None]:
    """Run the block in a transaction that may read whole tables and take as long as it needs."""
    with db.transaction_opened_by(REBUILD_OPEN):
        yield


def create_bests(namespace: int) -> None:
    """Make tables for bests and undo that have no indexes and are no partitions yet."""
    db.require_transaction()
    db.run_script(REBUILD_CREATE_BESTS.literal(namespace=namespace))


def attach_bests(namespace: int) -> None:
    """Build the indexes of the bests, and make bests and undo partitions."""
    db.require_transaction()
    db.run_script(REBUILD_INDEX_BESTS.literal(namespace=namespace))
    db.run_script(REBUILD_ATTACH_BESTS.literal(namespace=namespace))


def fold_results(refill: Refill, through: int, *, part: int, parts: int) -> int:
    """
    Fold one part of the players who have results only, and return how many it has.

    `parts` is a power of two. Whoever was decided about is folded by `fold_listed`.
    """
    db.require_transaction()
    assert through <= HIGHEST_EPOCH
    return db.execute(
        REBUILD_FOLD_RESULTS.literal(
            namespace=refill.namespace, ledger_namespace=refill.ledger_namespace
        ),
        through=through,
        part=part,
        parts=parts,
    )


def copy_bests(namespace: int, replaced: int) -> int:
    """Copy the bests of another namespace, and return how many there are."""
    db.require_transaction()
    return db.execute(REBUILD_COPY_BESTS.literal(namespace=namespace, other_namespace=replaced))


@contextmanager
def changed_players(
    refill: Refill, *, after_epoch: int, through: int, decided: bool = False
) -> Iterator[int]:
    """List who has events in (after, through] for the block, and give how many these are."""
    db.require_transaction()
    db.execute(REBUILD_CREATE_CHANGED)
    ledger = refill.ledger_namespace
    listed = db.execute(
        REBUILD_LIST_CHANGED.literal(ledger_namespace=ledger),
        after_epoch=after_epoch,
        through=through,
    )
    if decided:
        listed += db.execute(
            REBUILD_LIST_DECIDED.literal(ledger_namespace=ledger), through=through
        )
    yield listed
    db.execute(REBUILD_DROP_CHANGED)


def fold_listed(refill: Refill, through: int) -> None:
    """Fold all events of the listed players anew, and make the undo that the base needs."""
    db.require_transaction()
    assert through <= HIGHEST_EPOCH
    names = {"namespace": refill.namespace, "ledger_namespace": refill.ledger_namespace}
    db.execute(REBUILD_DELETE_UNDO.literal(namespace=refill.namespace))
    db.execute(REBUILD_REFOLD_RESULTS.literal(**names), through=through)
    db.execute(REBUILD_UNDO_OF_RESULTS.literal(**names), through=through, base=refill.base)
    for events in decided_events(refill.ledger_namespace, through):
        _fold_decided(refill, events)


def fold_player(events: Sequence[Accepted], base: int) -> tuple[FoldedBest, list[FoldedUndo]]:
    """
    Fold a player's events, in the order in which they were applied, to a best and its undo.

    The stamp is that of the last epoch that changed what is shown, else of the first event.
    The version is the match service's last; each event of our own raises the revision.
    """
    player_id, stamp = events[0].player_id, events[0].epoch
    state, version, revision = Fold(), 0, 0
    undo = []
    for accepted, after in zip(events, states([row.event for row in events]), strict=True):
        if accepted.kind_group == MATCH_SERVICE:
            version, revision = accepted.event.score_version, 0
        else:
            revision += 1
        if after.shown != state.shown:
            if state.shown is not None and max(stamp, base) < accepted.epoch:
                undo.append(FoldedUndo(player_id, stamp, accepted.epoch, state.shown))
            stamp = accepted.epoch
        state = after
    hidden = state.score if state.removed else None
    change_no = events[-1].event.change_no
    best = FoldedBest(
        player_id, state.shown, hidden, state.removed, version, revision, stamp, change_no
    )
    return best, undo


def _fold_decided(refill: Refill, events: Sequence[Accepted]) -> None:
    bests: list[FoldedBest] = []
    undo: list[FoldedUndo] = []
    for _, own in itertools.groupby(events, key=lambda accepted: accepted.player_id):
        best, steps = fold_player(list(own), refill.base)
        bests.append(best)
        undo += steps
    db.execute(
        REBUILD_WRITE_BESTS.literal(namespace=refill.namespace),
        player_ids=[best.player_id for best in bests],
        scores=[best.score for best in bests],
        hidden_scores=[best.hidden_score for best in bests],
        removed=[best.removed for best in bests],
        score_versions=[best.score_version for best in bests],
        revisions=[best.revision for best in bests],
        epochs=[best.epoch for best in bests],
        change_nos=[best.change_no for best in bests],
    )
    db.execute(
        REBUILD_WRITE_UNDO.literal(namespace=refill.namespace),
        player_ids=[step.player_id for step in undo],
        from_epochs=[step.from_epoch for step in undo],
        to_epochs=[step.to_epoch for step in undo],
        scores=[step.score for step in undo],
    )
