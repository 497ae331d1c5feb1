"""What every writer does behind the epoch fence: limits, retries, undo, tally."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol, TypeVar

import psycopg

from config import db
from config.errors import SeasonNotOpen, Unavailable
from seasons.queries import SeasonForWrite
from seasons.steps import write_behind_fence, write_behind_fences

CREATE_NAMESPACE = db.statement(__file__, "create_namespace")
BESTS_PRESENT = db.statement(__file__, "bests_present")
INSERT_UNDO = db.statement(__file__, "insert_undo")
INSERT_TALLY = db.statement(__file__, "insert_tally")
PURGE_UNDO = db.statement(__file__, "purge_undo")
PURGE_TALLIES = db.statement(__file__, "purge_tallies")

TRIES = 5
BEING_RESTORED = "The season's bests are being restored; nothing was changed."

log = logging.getLogger(__name__)

Done = TypeVar("Done")


class RunAgain(Exception):
    """Another transaction was using one of the event ids; now it is a replay or a conflict."""


class Shown(NamedTuple):
    """What a board shows of a player; no score: nothing."""

    score: int | None
    tie_key: int | None
    region: int | None


class Tallied(Protocol):
    """A change of what a board shows."""

    @property
    def player_id(self) -> str:
        """Return whose."""

    @property
    def change_no(self) -> int | None:
        """Return its number among the player's changes."""

    @property
    def old_score(self) -> int | None:
        """Return the score that was shown before."""

    @property
    def new_score(self) -> int | None:
        """Return the score that is shown now."""


class Change(NamedTuple):
    """What one event did to a best that it touched."""

    player_id: str
    change_no: int | None
    old: Shown
    new: Shown
    from_epoch: int | None

    @property
    def old_score(self) -> int | None:
        """Return the score that was shown before."""
        return self.old.score

    @property
    def new_score(self) -> int | None:
        """Return the score that is shown now."""
        return self.new.score

    @property
    def visible(self) -> bool:
        """Return whether a board shows something else than before."""
        return self.old != self.new and (self.old.score, self.new.score) != (None, None)


NOTHING = Shown(None, None, None)
NO_CHANGE = Change("", None, NOTHING, NOTHING, None)


def create_namespace(namespace: int) -> None:
    """Make the partitions of ledger, bests and undo, and the sentinel of the bests."""
    db.require_transaction()
    db.run_script(CREATE_NAMESPACE.literal(namespace=namespace))


def until_it_holds(attempt: Callable[[], Done]) -> Done:
    """
    Run a whole transaction again when it met another one on its way, five times at most.

    That is: a deadlock, a serialisation failure, a wait that took too long, or an event id
    that another transaction was just using. Raises Unavailable after the last time. A lost
    connection is replaced once: if the commit had got through, the repetition is a replay.
    """
    lost = False
    for _ in range(TRIES):
        try:
            return attempt()
        except (RunAgain, *db.WORTH_REPEATING):
            continue
        except db.LOST:
            if lost:
                raise
            lost = True
    raise Unavailable("Other writes were in the way five times; nothing was changed.")


@contextmanager
def write_scores(season_id: int) -> Iterator[SeasonForWrite]:
    """Run the block behind the fence of a season that has its bests; else Unavailable."""
    with write_behind_fence(season_id) as season:
        require_bests(season)
        with refused_if_damaged(season_id):
            yield season


@contextmanager
def write_scores_of(season_ids: Iterable[int]) -> Iterator[dict[int, SeasonForWrite]]:
    """
    Run the block behind the fences of seasons that have their bests; else Unavailable.

    The seasons are given by id, ascending: their rows are to be written in this order.
    """
    with write_behind_fences(season_ids) as seasons:
        for season in seasons:
            require_bests(season)
        yield {season.season_id: season for season in seasons}


@contextmanager
def refused_if_damaged(season_id: int) -> Iterator[None]:
    """
    Raise Unavailable if the ledger or the undo has a change of the same number already.

    Of an event id that the ledger has already, RunAgain.
    """
    try:
        yield
    except psycopg.errors.UniqueViolation as proof:
        if _is_of_event_id(proof):
            raise RunAgain from proof
        log.exception("the bests of season=%s disagree with its ledger", season_id)
        raise Unavailable(BEING_RESTORED) from proof


def _is_of_event_id(violation: psycopg.errors.UniqueViolation) -> bool:
    # A partition's constraint has a name of its own, made of its columns.
    return "_event_id_" in (violation.diag.constraint_name or "")


def require_bests(season: SeasonForWrite) -> None:
    """Raise Unavailable while the bests of a season are lost or known to be wrong."""
    present = db.fetch_one(bool, BESTS_PRESENT.literal(namespace=season.namespace))
    if not present or season.bests_damaged_at is not None:
        raise Unavailable(BEING_RESTORED)


def require_started(season: SeasonForWrite) -> None:
    """Raise SeasonNotOpen for a season whose start is still to come."""
    if season.status == "scheduled":
        raise SeasonNotOpen


def record_changes(season: SeasonForWrite, *, events: int, changes: Sequence[Change]) -> None:
    """Keep what the boards showed before, and tally what the batch did."""
    epoch = season.open_epoch
    visible = [change for change in changes if change.visible]
    undone = [
        change
        for change in visible
        if change.old.score is not None and change.from_epoch is not None
        if change.from_epoch < epoch
    ]
    if undone:
        _insert_undo(season.namespace, epoch, undone)
    insert_tally(season, events=events, changes=visible)


def insert_tally(season: SeasonForWrite, *, events: int, changes: Sequence[Tallied]) -> None:
    """Count the events of a batch and what boards show differently, beside the ledger."""
    db.execute(
        INSERT_TALLY.literal(namespace=season.ledger_namespace),
        epoch=season.open_epoch,
        events=events,
        player_ids=[change.player_id for change in changes],
        change_nos=[change.change_no for change in changes],
        old_scores=[change.old_score for change in changes],
        new_scores=[change.new_score for change in changes],
    )


def _insert_undo(namespace: int, epoch: int, changes: Sequence[Change]) -> None:
    db.execute(
        INSERT_UNDO.literal(namespace=namespace),
        epoch=epoch,
        player_ids=[change.player_id for change in changes],
        from_epochs=[change.from_epoch for change in changes],
        scores=[change.old.score for change in changes],
        tie_keys=[change.old.tie_key for change in changes],
        regions=[change.old.region for change in changes],
    )


def purge_undo(namespace: int, *, oldest_before: int, oldest: int) -> None:
    """Delete the undo that only versions from the oldest of before to that of now needed."""
    db.require_transaction()
    db.execute(PURGE_UNDO.literal(namespace=namespace), oldest_before=oldest_before, oldest=oldest)


def purge_tallies(namespace: int, through: int) -> None:
    """Delete the tallies of epochs that were published."""
    db.require_transaction()
    db.execute(PURGE_TALLIES.literal(namespace=namespace), through=through)
