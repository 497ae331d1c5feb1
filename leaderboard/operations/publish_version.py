"""Publish what was sealed: where a version is made."""

import logging
import time
from datetime import datetime
from typing import NamedTuple

from config import db
from leaderboard.models import Stop
from leaderboard.queries.moved import keys_moved
from leaderboard.queries.publication import (
    PublicationState,
    SealToPublish,
    Witness,
    publication_state,
    seals_to_publish,
    witnesses,
)
from leaderboard.rules import GLOBAL_BOARD
from leaderboard.steps import checks
from leaderboard.steps.boards import count_board
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.flip import flip_to, move_as_of
from leaderboard.steps.layouts import layout_with
from leaderboard.steps.ordered_checks import ordered_board_is_right
from leaderboard.steps.target import BoardTotals, Counted, Target
from seasons.queries import slug_of
from seasons.steps import set_bests_damaged

LOCK_PUBLISHER = db.statement(__file__, "lock_publisher")
TRY_PUBLISHER = db.statement(__file__, "try_publisher")
INSERT_STOP = db.statement(__file__, "insert_stop")

log = logging.getLogger(__name__)


class Publication(NamedTuple):
    """What a run of the publisher did."""

    outcome: str
    version: int | None = None
    changes: int = 0
    as_of: datetime | None = None
    more: bool = False


def publish_version(season_id: int, *, despite_stop: bool = False) -> Publication:
    """
    Publish the sealed epochs of a season as its next version, all of it or nothing.

    Outcomes: `published`; `unchanged` (only `as_of` moved); `idle` (nothing was sealed);
    `busy` (another publication is under way); `stopped` (a check failed before; with
    `despite_stop` it is tried again, and success ends the stop). `more` says that sealed
    epochs were left for the next run. Raises CheckFailed when a check fails: the old version
    stays, and the season's publication is stopped.
    """
    if not despite_stop and Stop.objects.filter(season_id=season_id).exists():
        return Publication("stopped")
    started = time.monotonic()
    try:
        publication = _publish(season_id)
    except CheckFailed as failure:
        _stop(season_id, failure)
        raise
    if publication.outcome in {"published", "unchanged"} and despite_stop:
        _end_stop(season_id)
    if publication.outcome == "published":
        log.info(
            "published season=%s version=%s changes=%s seconds=%.3f",
            slug_of(season_id),
            publication.version,
            publication.changes,
            time.monotonic() - started,
        )
    return publication


def _publish(season_id: int) -> Publication:
    with db.transaction_opened_by(LOCK_PUBLISHER):
        if not db.fetch_one(bool, TRY_PUBLISHER.literal(season_id=season_id)):
            return Publication("busy")
        state = publication_state(season_id)
        assert state is not None, "the operation that makes a season publishes its first version"
        checks.nothing_is_lost(state)
        seals = seals_to_publish(season_id, state.through)
        if not seals:
            return Publication("idle", state.number)
        found = witnesses(state.ledger_namespace, state.through, seals[-1].epoch)
        checks.ledger_agrees_with_tallies(found)
        ledger = [witness for witness in found if witness.witness == "ledger"]
        more = len(seals) > 1 and bool(seals_to_publish(season_id, seals[-1].epoch))
        if not any(witness.changes for witness in ledger):
            move_as_of(season_id, state, seals[-1], found)
            return Publication("unchanged", state.number, 0, seals[-1].sealed_at, more)
        _make_version(season_id, state, seals, found)
        changes = sum(witness.changes for witness in ledger)
        return Publication("published", seals[-1].version, changes, seals[-1].sealed_at, more)


def _make_version(
    season_id: int, state: PublicationState, seals: list[SealToPublish], found: list[Witness]
) -> None:
    target = Target(
        season_id,
        state.namespace,
        state.layout,
        state.boundary_sets,
        state.number,
        seals[-1].version,
    )
    moved = keys_moved(state.ledger_namespace, state.through, seals[-1].epoch)
    counted = []
    for board in range(len(state.members)):
        before = BoardTotals(state.members[board], state.score_sums[board])
        counted.append(count_board(target, board, before, moved.on_board(board)))
        if board == GLOBAL_BOARD:
            checks.membership_follows(before, counted[board].totals, found)
    next_sample = _check(target, counted, state)
    layout_id = layout_with(state.layout_id, [board.boundary_set for board in counted])
    totals = [board.totals for board in counted]
    flip_to(target, state._replace(layout_id=layout_id), seals, totals, found, next_sample)


def _check(target: Target, counted: list[Counted], state: PublicationState) -> int:
    """Check each board by its kind, and return where the next sample of buckets begins."""
    next_sample = state.sampled_bucket
    for board, (totals, boundary_set) in enumerate(counted):
        if boundary_set:
            ordered_board_is_right(target, board, boundary_set, totals)
        else:
            stored = checks.counted_board_is_right(target, board, totals)
            next_sample = checks.sampled_buckets_match_bests(target, stored, state)
    return next_sample


def _stop(season_id: int, failure: CheckFailed) -> None:
    log.error("publication stopped season=%s %s", slug_of(season_id), failure)
    with db.transact:
        db.execute(
            INSERT_STOP.literal(season_id=season_id),
            failed_check=failure.check,
            detail=failure.detail,
        )
        if failure.bests_damaged:
            set_bests_damaged(season_id, damaged=True)


def _end_stop(season_id: int) -> None:
    with db.transact:
        Stop.objects.filter(season_id=season_id).delete()
        set_bests_damaged(season_id, damaged=False)
