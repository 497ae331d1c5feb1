"""Accept results of one season, behind its fence: bests, ledger, undo, tally and receipts."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import psycopg

from config import db
from config.errors import Fault, ValidationFailed
from scores import rules
from scores.queries import KnownEvent, StoredBest, known_events, stored_bests
from scores.rules import Event, FoldedEvent, Receipt
from scores.steps.applied import AppliedResult, folded_event, refold
from scores.steps.regions import boards_of_newcomers
from scores.steps.taking import APPLY_RESULTS, TakenResult, sent, take
from scores.steps.writing import (
    NO_CHANGE,
    Change,
    RunAgain,
    insert_tally,
    record_changes,
    refused_if_damaged,
)
from seasons.queries import SeasonForWrite
from seasons.queries.seasons_at import SeasonAt
from seasons.rules import ScoreRange
from seasons.steps import note_display

INSERT_RESULTS = db.statement(__file__, "insert_results")

CLOCKS_MAY_DIFFER_BY = timedelta(seconds=60)
MOST_SEASONS = 50


class Entry(NamedTuple):
    """An event with its receipt and, if that is still to be recorded, what it changed."""

    event: Event
    receipt: Receipt
    change: Change | None = None


class Accepted(NamedTuple):
    """What became of new results, and what the ledger knows of the others, each by event id."""

    entries: dict[str, Entry]
    known: dict[str, KnownEvent]


def require_valid(scores: ScoreRange, accepted_at: datetime, events: Sequence[Event]) -> None:
    """Raise ValidationFailed for scores out of range and completions in the future."""
    latest = accepted_at + CLOCKS_MAY_DIFFER_BY
    faults = []
    for index, event in enumerate(events):
        if not scores.score_min <= event.best_score <= scores.score_max:
            detail = f"The season's scores are {scores.score_min} to {scores.score_max}."
            faults.append(Fault(f"/{index}/best_score", "out_of_range", detail))
        if event.completed_at > latest:
            detail = "The completion lies more than 60 s ahead of the server's clock."
            faults.append(Fault(f"/{index}/completed_at", "in_the_future", detail))
    if faults:
        raise ValidationFailed(faults)


def require_few(seasons: Sequence[SeasonAt], events: Sequence[Event]) -> None:
    """
    Raise ValidationFailed if the results of a batch lie in too many seasons of a series.

    A transaction locks the tables of each. The faults are at those that had better come alone.
    """
    detail = f"The results of a batch may lie in {MOST_SEASONS} seasons."
    faults = [
        Fault(f"/{index}/completed_at", "too_many_seasons", detail)
        for index, event in enumerate(events)
        if any(season.contains(event.completed_at) for season in seasons[MOST_SEASONS:])
    ]
    if faults:
        raise ValidationFailed(faults)


def unseen(events: Iterable[Event], known: Mapping[str, KnownEvent]) -> list[Event]:
    """Return the events that are not known, of several with one id the first."""
    first: dict[str, Event] = {}
    for event in events:
        if event.event_id not in known:
            first.setdefault(event.event_id, event)
    return list(first.values())


def accept(
    season: SeasonForWrite, events: Sequence[Event], moved_to: Mapping[str, str] | None = None
) -> dict[str, Entry]:
    """
    Apply results that the ledger does not know, and record them; return what became of each.

    `moved_to` names, by the id of a late result, the season that it goes to. Raises RunAgain if
    another transaction has used one of the ids meanwhile, and Unavailable if a best proves to be
    damaged.
    """
    db.require_transaction()
    if not events:
        return {}
    with refused_if_damaged(season.season_id):
        accepted = _accept(season, events, moved_to or {})
    if accepted.known:
        raise RunAgain
    return accepted.entries


def accept_at_first_sight(season: SeasonForWrite, events: Sequence[Event]) -> Accepted:
    """
    Do the same with results that nobody has looked up: only those are that change no best.

    One that is known was the newest of its player before, and is no more. Raises RunAgain if
    the ledger has the id of one that is, or the change: then all must be looked up first.
    """
    db.require_transaction()
    try:
        return _accept(season, events, {})
    except psycopg.errors.UniqueViolation as known:
        raise RunAgain from known


def takes_at_first_sight(season: SeasonForWrite, events: Sequence[Event]) -> bool:
    """Return whether a season takes results, all of these count, and nothing else decides."""
    return season.takes_results and _all_count(season, events) and not _may_be_decided(season)


def _accept(
    season: SeasonForWrite, events: Sequence[Event], moved_to: Mapping[str, str]
) -> Accepted:
    in_time, untimely = _by_time(season, events, moved_to)
    boards = boards_of_newcomers(season, (event.player_id for event in in_time))
    accepted = _beside_decisions if _may_be_decided(season) else _at_once
    entries, known = accepted(season, boards, rules.rounds(in_time), untimely)
    if not season.has_display and any(event.display is not None for event in events):
        note_display(season.season_id)
    return Accepted({entry.event.event_id: entry for entry in entries}, known)


def _by_time(
    season: SeasonForWrite, events: Sequence[Event], moved_to: Mapping[str, str]
) -> tuple[Sequence[Event], list[Entry]]:
    """Return the events that count, and entries of those that come too early or too late."""
    if _all_count(season, events):
        return events, []
    in_time, untimely = [], []
    for event in events:
        timeliness = season.timeliness_of(event.completed_at)
        if timeliness == "in_time":
            in_time.append(event)
        else:
            moved = moved_to.get(event.event_id)
            outcome = rules.outcome_of_untimely(timeliness, season.late_policy, moved)
            untimely.append(_unapplied(event, outcome, moved_to=moved))
    return in_time, untimely


def _all_count(season: SeasonForWrite, events: Sequence[Event]) -> bool:
    if not events:
        return True
    completed_at = [event.completed_at for event in events]
    return season.counts_all(min(completed_at), max(completed_at))


def _at_once(
    season: SeasonForWrite,
    boards: Mapping[str, int],
    rounds: Sequence[Sequence[Event]],
    untimely: list[Entry],
) -> tuple[list[Entry], dict[str, KnownEvent]]:
    """Apply and record round by round, look up what was not applied, and record the rest."""
    entries: list[Entry] = []
    unapplied: list[Entry] = []
    shown: list[TakenResult] = []
    known: dict[str, KnownEvent] = {}
    for turn in rounds:
        taken = take(season, boards, turn)
        shown += [result for result in taken.values() if result.visible_in_version is not None]
        entries += [
            _taken(event, taken[event.player_id]) for event in turn if event.player_id in taken
        ]
        if len(taken) < len(turn):
            left = [event for event in turn if event.player_id not in taken]
            known |= known_events(season.ledger_namespace, [event.event_id for event in left])
            unapplied += _stale(season.namespace, unseen(left, known))
    unapplied += _with_stored(season.namespace, untimely)
    if unapplied:
        _insert_results(season, unapplied)
    if entries or unapplied:
        insert_tally(season, events=len(entries) + len(unapplied), changes=shown)
    return entries + unapplied, known


def _beside_decisions(
    season: SeasonForWrite,
    boards: Mapping[str, int],
    rounds: Sequence[Sequence[Event]],
    untimely: list[Entry],
) -> tuple[list[Entry], dict[str, KnownEvent]]:
    """Apply round by round, fold anew what stands before a decision, and then record all."""
    entries: list[Entry] = []
    for turn in rounds:
        entries += _apply_round(season, boards, turn, entries)
    entries += _with_stored(season.namespace, untimely)
    _insert_results(season, entries)
    changes = [entry.change for entry in entries if entry.change is not None]
    record_changes(season, events=len(entries), changes=changes)
    return entries, {}


def _apply_round(
    season: SeasonForWrite,
    boards: Mapping[str, int],
    events: Sequence[Event],
    earlier: Sequence[Entry],
) -> list[Entry]:
    statement = APPLY_RESULTS.literal(namespace=season.namespace)
    rows = db.fetch_all(AppliedResult, statement, **sent(season, boards, events))
    applied = {row.player_id: row for row in rows}
    applied |= refold(season, events, applied, _folded_before(earlier))
    return [
        _applied(event, applied[event.player_id], season.open_epoch)
        for event in events
        if event.player_id in applied
    ] + _stale(season.namespace, [e for e in events if e.player_id not in applied])


def _may_be_decided(season: SeasonForWrite) -> bool:
    """Return whether held results of the season may have been let in."""
    is_about_over = season.accepted_at + CLOCKS_MAY_DIFFER_BY >= season.cutoff_at
    return season.late_policy == rules.REVIEW and is_about_over


def _folded_before(entries: Iterable[Entry]) -> dict[str, list[FoldedEvent]]:
    folded: dict[str, list[FoldedEvent]] = {}
    for event, _, change in entries:
        if change is not None and change.change_no is not None:
            own = folded.setdefault(event.player_id, [])
            own.append(folded_event(event, change.change_no))
    return folded


def _taken(event: Event, result: TakenResult) -> Entry:
    receipt = Receipt(
        event.event_id,
        event.player_id,
        result.outcome,
        False,  # noqa: FBT003  # Names cost as much again, a thousand times a batch.
        result.best_score,
        event.score_version,
        result.visible_in_version,
    )
    return Entry(event, receipt)


def _applied(event: Event, row: AppliedResult, epoch: int) -> Entry:
    change = row.change
    receipt = Receipt(
        event.event_id,
        event.player_id,
        rules.IMPROVED if row.improved else rules.NOT_IMPROVED,
        replayed=False,
        best_score=row.best,
        score_version=event.score_version,
        visible_in_version=epoch if change.visible else None,
    )
    return Entry(event, receipt, change)


def _unapplied(
    event: Event, outcome: str, stored: StoredBest | None = None, moved_to: str | None = None
) -> Entry:
    receipt = Receipt(
        event.event_id,
        event.player_id,
        outcome,
        replayed=False,
        best_score=stored.score if stored else None,
        score_version=stored.score_version if stored else None,
        visible_in_version=None,
        moved_to=moved_to,
    )
    return Entry(event, receipt)


def _stale(namespace: int, events: Iterable[Event]) -> list[Entry]:
    return _with_stored(namespace, [_unapplied(event, rules.STALE_VERSION) for event in events])


def _with_stored(namespace: int, entries: list[Entry]) -> list[Entry]:
    if not entries:
        return []
    stored = stored_bests(namespace, {entry.event.player_id for entry in entries})
    return [
        _unapplied(
            entry.event,
            entry.receipt.outcome,
            stored.get(entry.event.player_id),
            entry.receipt.moved_to,
        )
        for entry in entries
    ]


def _insert_results(season: SeasonForWrite, entries: Sequence[Entry]) -> None:
    receipts = [entry.receipt for entry in entries]
    changes = [entry.change or NO_CHANGE for entry in entries]
    inserted = db.execute(
        INSERT_RESULTS.literal(namespace=season.ledger_namespace),
        epoch=season.open_epoch,
        accepted_at=season.accepted_at,
        event_ids=[entry.event.event_id for entry in entries],
        match_ids=[entry.event.match_id for entry in entries],
        player_ids=[entry.event.player_id for entry in entries],
        scores=[entry.event.best_score for entry in entries],
        score_versions=[entry.event.score_version for entry in entries],
        completed_ats=[entry.event.completed_at for entry in entries],
        displays=[entry.event.display for entry in entries],
        moved_to=[receipt.moved_to for receipt in receipts],
        outcomes=[receipt.outcome for receipt in receipts],
        receipt_scores=[receipt.best_score for receipt in receipts],
        receipt_versions=[receipt.score_version for receipt in receipts],
        visible=[receipt.visible_in_version for receipt in receipts],
        change_nos=[change.change_no for change in changes],
        old_scores=[change.old.score for change in changes],
        new_scores=[change.new.score for change in changes],
        old_regions=[change.old.region for change in changes],
        new_regions=[change.new.region for change in changes],
        old_tie_keys=[change.old.tie_key for change in changes],
        new_tie_keys=[change.new.tie_key for change in changes],
    )
    if inserted != len(entries):
        raise RunAgain


def receipts_of(
    season: SeasonForWrite,
    events: Sequence[Event],
    known: Mapping[str, KnownEvent],
    entries: Mapping[str, Entry],
) -> list[Receipt]:
    """Return a receipt for each event: of known ones the first, of conflicts what is stored."""
    met: set[str] = set()
    receipts: list[Receipt | None] = []
    for event in events:
        receipts.append(_receipt(event, known, entries, repeated=event.event_id in met))
        met.add(event.event_id)
    conflicting = {e.player_id for e, r in zip(events, receipts, strict=True) if r is None}
    stored = stored_bests(season.namespace, conflicting) if conflicting else {}
    return [
        receipt or _unapplied(event, rules.CONFLICT, stored.get(event.player_id)).receipt
        for event, receipt in zip(events, receipts, strict=True)
    ]


def _receipt(
    event: Event,
    known: Mapping[str, KnownEvent],
    entries: Mapping[str, Entry],
    *,
    repeated: bool,
) -> Receipt | None:
    if event.event_id in known:
        row = known[event.event_id]
        return row.receipt if row.is_result(event) else None
    entry = entries[event.event_id]
    if not repeated:
        return entry.receipt
    return entry.receipt._replace(replayed=True) if entry.event == event else None
