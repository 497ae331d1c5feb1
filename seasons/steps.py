"""Parts of a transaction that concern seasons and their epochs."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Literal, TypeVar

import psycopg
from django.db.models.functions import Now

from config import db
from config.errors import SeriesEnded, Unavailable, WrongState
from seasons.models import Epoch, Season, Series, Transition, Window, WindowRule
from seasons.queries import SeasonForWrite, season_for_write, season_id_of
from seasons.rules import FENCE_WAITS_MS, PlannedWindow, SeasonRules, SeriesRules, Status

FENCE_FOR_WRITE = db.statement(__file__, "fence_for_write")
FENCE_ALSO = db.statement(__file__, "fence_also")
FENCE_FOR_TRANSITION = db.statement(__file__, "fence_for_transition")
DELETE_SEALS = db.statement(__file__, "delete_seals")
NEXT_NAMESPACE = db.statement(__file__, "next_namespace")

FIRST_EPOCH = 2

Done = TypeVar("Done")

log = logging.getLogger(__name__)


@contextmanager
def write_behind_fence(season_id: int) -> Iterator[SeasonForWrite]:
    """Run the block in a transaction that holds the season's epoch fence in shared mode."""
    with db.transaction_opened_by(FENCE_FOR_WRITE.literal(season_id=season_id)):
        yield season_for_write(season_id)


@contextmanager
def write_behind_fences(season_ids: Iterable[int]) -> Iterator[list[SeasonForWrite]]:
    """
    Run the block in a transaction that holds the fences of some seasons, one at least.

    They are locked and given in order of their ids, so that no two writers wait for each
    other in a circle.
    """
    first, *others = sorted(set(season_ids))
    trip = [FENCE_FOR_WRITE.literal(season_id=first)]
    trip += [FENCE_ALSO.literal(season_id=season_id) for season_id in others]
    with db.transaction_opened_by(db.Statement(";\n".join(trip))):
        yield [season_for_write(season_id) for season_id in (first, *others)]


def behind_exclusive_fence(season_id: int, change: Callable[[SeasonForWrite], Done]) -> Done:
    """
    Make a change in a transaction that holds the season's epoch fence in exclusive mode.

    Waits for the writers 0.25 s, then 0.5 s, then 1 s, and lets others write between; raises
    Unavailable after that.
    """
    for wait in FENCE_WAITS_MS:
        first_trip = FENCE_FOR_TRANSITION.literal(season_id=season_id, lock_milliseconds=wait)
        try:
            with db.transaction_opened_by(first_trip):
                return change(season_for_write(season_id))
        except psycopg.errors.LockNotAvailable:
            continue
    raise Unavailable("Others were in the way; nothing was changed.")


def begin_now(
    slug: str,
    instant: Literal["starts_at", "cutoff_at"],
    *,
    needs: Status,
    begins: Status,
    actor: str,
    reason: str,
) -> None:
    """
    Let a state begin now instead of at its stored instant, and record who did it and why.

    Behind the exclusive fence, so that no write sees two states. Raises SeasonNotFound,
    WrongState in any other state than the one needed, and Unavailable while writers are in
    the way.
    """

    def change(season: SeasonForWrite) -> None:
        if season.status != needs:
            raise WrongState(f"The season is {season.status}, not {needs}.")
        Season.objects.filter(id=season.season_id).update(**{instant: season.accepted_at})
        record_transition(season.season_id, begins, season.accepted_at, actor=actor, reason=reason)

    behind_exclusive_fence(season_id_of(slug), change)
    log.info("season=%s is %s by=%s", slug, begins, actor)


def record_transition(
    season_id: int, status: Status, due_at: datetime, *, actor: str, reason: str
) -> bool:
    """
    Note that a state began, unless that is noted already; return whether it is new.

    The caller holds the exclusive fence, so that nobody notes it at the same time.
    """
    db.require_transaction()
    if Transition.objects.filter(season_id=season_id, status=status).exists():
        return False
    Transition.objects.create(
        season_id=season_id, status=status, due_at=due_at, actor=actor, reason=reason
    )
    return True


def next_namespace() -> int:
    """Return a number that no set of partitions has had."""
    namespace = db.fetch_one(int, NEXT_NAMESPACE)
    assert namespace is not None
    return namespace


def insert_series(rules: SeriesRules) -> Series:
    """Insert the series and the rules of its windows."""
    db.require_transaction()
    shared = {**rules._asdict(), "regions": list(rules.regions)}
    wanted = shared.pop("windows")
    series = Series.objects.create(**shared)
    WindowRule.objects.bulk_create(
        [WindowRule(series=series, **window._asdict()) for window in wanted]
    )
    return series


def set_series_ended(series_id: int) -> None:
    """Let no window of a series begin any more; its end stays what it was."""
    db.require_transaction()
    Series.objects.filter(id=series_id, ended_at=None).update(ended_at=Now())


def insert_season(
    rules: SeasonRules, namespace: int, window: PlannedWindow | None = None
) -> Season:
    """
    Insert the season and its first open epoch; the epoch before is version 1's.

    In a window of a series, that stays locked until the transaction ends: makers come one after
    the other, and none after its end. Raises SeriesEnded.
    """
    db.require_transaction()
    if window is not None:
        _require_going_on(window.rule_id)
    season = Season.objects.create(
        **{**rules._asdict(), "regions": list(rules.regions)},
        namespace=namespace,
        ledger_namespace=namespace,
    )
    if window is not None:
        Window.objects.create(rule_id=window.rule_id, season=season, **window.span._asdict())
    Epoch.objects.create(season_id=season.id, open_epoch=FIRST_EPOCH)
    season.refresh_from_db()
    return season


def _require_going_on(rule_id: int) -> None:
    found = Series.objects.filter(window_rules=rule_id)
    series = found.select_for_update(no_key=True, of=["self"]).get()
    if series.ended_at is not None:
        raise SeriesEnded


def set_bests_damaged(season_id: int, *, damaged: bool) -> None:
    """Refuse writes from now on because the bests are wrong, or take them again."""
    db.require_transaction()
    Season.objects.filter(id=season_id).update(bests_damaged_at=Now() if damaged else None)


def set_retired(season_id: int, retired_at: datetime) -> None:
    """Refuse whatever is asked of a season from now on: it is gone, or going."""
    db.require_transaction()
    Season.objects.filter(id=season_id).update(retired_at=retired_at)


def note_display(season_id: int) -> None:
    """Note that results have brought data to be shown: from now on readers look for it."""
    db.require_transaction()
    Season.objects.filter(id=season_id).update(has_display=True)


def delete_seals(season_id: int, *, after_epoch: int, to_epoch: int) -> None:
    """Forget the seals of the epochs in (after, to]: no undo of theirs is needed any more."""
    db.require_transaction()
    db.execute(
        DELETE_SEALS.literal(season_id=season_id), after_epoch=after_epoch, to_epoch=to_epoch
    )
