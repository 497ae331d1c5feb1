"""Bests and undo of a new namespace: folded from the ledger, or copied and folded on."""

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from config import db
from scores.queries.accepted_events import Accepted, decided_events
from scores.rules import (
    EARLIEST,
    LATEST,
    MATCH_SERVICE,
    REGION,
    Fold,
    hidden_tie_key,
    shown_tie_key,
    states,
)
from scores.steps.writing import NOTHING, Change, Shown

REBUILD_OPEN = db.statement(__file__, "rebuild_open")
REBUILD_CREATE_BESTS = db.statement(__file__, "rebuild_create_bests")
REBUILD_INDEX_BESTS = db.statement(__file__, "rebuild_index_bests")
REBUILD_ATTACH_BESTS = db.statement(__file__, "rebuild_attach_bests")
REBUILD_FOLD_RESULTS = db.statement(__file__, "rebuild_fold_results")
REBUILD_FOLD_CHANGES = db.statement(__file__, "rebuild_fold_changes")
REBUILD_COPY_BESTS = db.statement(__file__, "rebuild_copy_bests")
REBUILD_CREATE_CHANGED = db.statement(__file__, "rebuild_create_changed")
REBUILD_LIST_CHANGED = db.statement(__file__, "rebuild_list_changed")
REBUILD_LIST_DECIDED = db.statement(__file__, "rebuild_list_decided")
REBUILD_DROP_CHANGED = db.statement(__file__, "rebuild_drop_changed")
REBUILD_REFOLD_RESULTS = db.statement(__file__, "rebuild_refold_results")
REBUILD_REFOLD_CHANGES = db.statement(__file__, "rebuild_refold_changes")
REBUILD_DELETE_UNDO = db.statement(__file__, "rebuild_delete_undo")
REBUILD_UNDO_OF_RESULTS = db.statement(__file__, "rebuild_undo_of_results")
REBUILD_WRITE_BESTS = db.statement(__file__, "rebuild_write_bests")
REBUILD_WRITE_UNDO = db.statement(__file__, "rebuild_write_undo")

# An epoch has to fit below a score in one integer of 64 bits.
HIGHEST_EPOCH = 2**33 - 1


class Refill(NamedTuple):
    """Where bests are made, from which ledger and by which rules, and what their undo serves."""

    namespace: int
    ledger_namespace: int
    tie_rule: str
    keep: str
    regions: Sequence[str]
    base: int = 0

    @property
    def names(self) -> dict[str, int]:
        """Return the namespaces as statements name them."""
        return {"namespace": self.namespace, "ledger_namespace": self.ledger_namespace}

    @property
    def rules(self) -> dict[str, bool]:
        """Return what the fold of a player's results depends on."""
        return {"keeps_latest": self.keep == LATEST, "has_times": self.tie_rule == EARLIEST}

    @property
    def is_plain(self) -> bool:
        """Return whether the best of results is the highest one, and nothing else is shown."""
        return not (any(self.rules.values()) or self.regions)


class FoldedBest(NamedTuple):
    """What a player's events fold to, as the bests keep it."""

    player_id: str
    score: int | None
    hidden_score: int | None
    removed: bool
    tie_key: int
    hidden_tie_key: int | None
    region: int | None
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
    tie_key: int
    region: int | None


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
    Fold one part of the players about whom nothing was decided, and return how many it has.

    `parts` is a power of two. Whoever was decided about is folded by `fold_listed`.
    """
    db.require_transaction()
    assert through <= HIGHEST_EPOCH
    every = REBUILD_FOLD_CHANGES.literal(**refill.rules)
    statement = REBUILD_FOLD_RESULTS if refill.is_plain else every
    return db.execute(statement.literal(**refill.names), through=through, part=part, parts=parts)


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
    db.execute(REBUILD_DELETE_UNDO.literal(namespace=refill.namespace))
    if refill.is_plain:
        _refold_results(refill, through)
    else:
        statement = REBUILD_REFOLD_CHANGES.literal(**refill.names, **refill.rules)
        db.execute(statement, through=through, base=refill.base)
    for events in decided_events(refill.ledger_namespace, through):
        _fold_decided(refill, events)


def fold_player(refill: Refill, events: Sequence[Accepted]) -> tuple[FoldedBest, list[FoldedUndo]]:
    """
    Fold a player's events, in the order in which they were applied, to a best and its undo.

    The stamp is that of the last epoch that changed what is shown, else of the first event.
    The version is the match service's last; each event of our own raises the revision, but
    for changes of region, which do not fold.
    """
    after = list(_states(refill, events))
    shown = [
        Shown(state.shown, shown_tie_key(state, refill.tie_rule), accepted.region)
        for accepted, state in zip(events, after, strict=True)
    ]
    stamp, undo = _undo_of(events, shown, refill.base)
    state, (score, tie_key, region) = after[-1], shown[-1]
    best = FoldedBest(
        events[0].player_id,
        score,
        state.score if state.removed else None,
        state.removed,
        tie_key or 0,
        hidden_tie_key(state, refill.tie_rule),
        region,
        *_version_of(events),
        stamp,
        events[-1].event.change_no,
    )
    return best, undo


def _undo_of(
    events: Sequence[Accepted], shown: Sequence[Shown], base: int
) -> tuple[int, list[FoldedUndo]]:
    """Return the last epoch that changed what is shown, and what was shown until each."""
    player_id, stamp = events[0].player_id, events[0].epoch
    undo = []
    for accepted, old, new in zip(events, [NOTHING, *shown], shown, strict=False):
        if Change(player_id, accepted.event.change_no, old, new, stamp).visible:
            if old.score is not None and max(stamp, base) < accepted.epoch:
                left = FoldedUndo(
                    player_id, stamp, accepted.epoch, old.score, old.tie_key or 0, old.region
                )
                undo.append(left)
            stamp = accepted.epoch
    return stamp, undo


def _version_of(events: Sequence[Accepted]) -> tuple[int, int]:
    version, revision = 0, 0
    for accepted in events:
        if accepted.kind_group == MATCH_SERVICE:
            version, revision = accepted.event.score_version, 0
        elif accepted.event.kind != REGION:
            revision += 1
    return version, revision


def _refold_results(refill: Refill, through: int) -> None:
    names = refill.names
    db.execute(REBUILD_REFOLD_RESULTS.literal(**names), through=through)
    db.execute(REBUILD_UNDO_OF_RESULTS.literal(**names), through=through, base=refill.base)


def _states(refill: Refill, events: Sequence[Accepted]) -> Iterator[Fold]:
    """Yield what the events have folded to after each of them."""
    folding = [row.event for row in events if row.event.kind != REGION]
    after = iter(states(folding, refill.keep))
    state = Fold()
    for accepted in events:
        if accepted.event.kind != REGION:
            state = next(after)
        yield state


def _fold_decided(refill: Refill, events: Sequence[Accepted]) -> None:
    bests: list[FoldedBest] = []
    undo: list[FoldedUndo] = []
    for _, own in itertools.groupby(events, key=lambda accepted: accepted.player_id):
        best, steps = fold_player(refill, list(own))
        bests.append(best)
        undo += steps
    db.execute(
        REBUILD_WRITE_BESTS.literal(namespace=refill.namespace),
        player_ids=[best.player_id for best in bests],
        scores=[best.score for best in bests],
        hidden_scores=[best.hidden_score for best in bests],
        removed=[best.removed for best in bests],
        tie_keys=[best.tie_key for best in bests],
        hidden_tie_keys=[best.hidden_tie_key for best in bests],
        regions=[best.region for best in bests],
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
        tie_keys=[step.tie_key for step in undo],
        regions=[step.region for step in undo],
    )
