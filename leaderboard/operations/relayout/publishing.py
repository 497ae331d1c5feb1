"""The first version with a board's new buckets: one transaction with the publisher's lock."""

import time

from config import db
from config.errors import Unavailable
from leaderboard import rules
from leaderboard.models import Stop
from leaderboard.operations.relayout.in_use import (
    IS_FINAL,
    IS_STOPPED,
    BoardInUse,
    CannotRelayout,
    watermark,
)
from leaderboard.queries.moved import keys_moved
from leaderboard.queries.ordered import boundaries_of
from leaderboard.queries.publication import PublicationState
from leaderboard.rules import Buckets
from leaderboard.steps.next_version import make_version, what_is_sealed
from leaderboard.steps.relaid import Compared, compare_layouts, require_members
from seasons.operations import seal_epoch

LOCK_PUBLISHER = db.statement(__file__, "lock_publisher")
TRY_PUBLISHER = db.statement(__file__, "try_publisher")

TRIES = 20
PAUSE_SECONDS = 0.25


def publish_relaid(used: BoardInUse, wanted: Buckets, players: list[str]) -> tuple[int, Compared]:
    """
    Publish the next version with a board's new buckets; return its number and what was compared.

    Waits some seconds for publications that are under way; Unavailable if it is never let through.
    """
    through = used.version
    for _ in range(TRIES):
        # What versions did meanwhile is added before the lock is taken: it may be much.
        current = watermark(used.season)
        wanted, through = _moved_on(used, wanted, through, current), current.through
        if seal_epoch(used.season.season_id):
            made = _publish(used, wanted, through, players)
            if made is not None:
                return made
        db.release("default")
        time.sleep(PAUSE_SECONDS)
    raise Unavailable("Publications or writers were in the way all the time.")


def _publish(
    used: BoardInUse, wanted: Buckets, through: int, players: list[str]
) -> tuple[int, Compared] | None:
    """Return None if another publication is under way, or took what was sealed for this one."""
    season_id, board = used.season.season_id, used.board
    with db.transaction_opened_by(LOCK_PUBLISHER):
        if not db.fetch_one(bool, TRY_PUBLISHER.literal(season_id=season_id)):
            return None
        sealed = what_is_sealed(season_id)
        if not sealed.seals:
            return None
        state = sealed.state
        _require_as_it_was(used, state)
        instead = _moved_on(used, wanted, through, state)
        require_members(board, instead, state.members[board])
        counted = make_version(sealed, {board: instead})
        compared = compare_layouts(used.season, board, sealed, counted[board], players)
    return sealed.target.version, compared


def _require_as_it_was(used: BoardInUse, state: PublicationState) -> None:
    if state.final_version is not None:
        raise CannotRelayout(IS_FINAL)
    if Stop.objects.filter(season_id=used.season.season_id).exists():
        raise Unavailable(IS_STOPPED)
    if state.namespace != used.target.namespace:
        raise CannotRelayout("A rebuild replaced the boards meanwhile: run it again.")
    # Crowded buckets may have been cut: those of the new layout are cut again if they still are.
    now = boundaries_of(state.boundary_sets[used.board])
    if not rules.is_cut_from(now, used.buckets.boundaries):
        raise CannotRelayout("The board got other buckets meanwhile: run it again.")


def _moved_on(
    used: BoardInUse, buckets: Buckets, through: int, state: PublicationState
) -> Buckets:
    """Return buckets, which have their players up to an epoch, with those of the state."""
    moved = keys_moved(state.ledger_namespace, through, state.through)
    return rules.with_deltas(buckets, moved.on_board(used.board))
