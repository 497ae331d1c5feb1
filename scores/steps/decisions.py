"""
Decisions about a player: corrections, voids, and held results that are let in.

The best is locked first, the ledger read by a later statement, and what the best becomes is
the fold of all events that count, this one included: none of them needs to be the newest.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from config import db
from scores import rules
from scores.queries.corrected_player import LockedBest, folded_events, locked_best
from scores.rules import Fold, FoldedEvent, Receipt
from scores.steps.regions import boards_of_newcomers
from scores.steps.writing import NO_CHANGE, Change, RunAgain, Shown, record_changes
from seasons.queries import SeasonForWrite

ENSURE_BEST = db.statement(__file__, "ensure_best")
CORRECT_BEST = db.statement(__file__, "correct_best")
INSERT_DECISION = db.statement(__file__, "insert_decision")


class Decision(NamedTuple):
    """
    A row of the ledger that somebody decided on.

    Of those of the match service (`kind_group` 0) the version says whether they are newer than
    the best. Our own never are stale: a correction or void without a version stands behind all
    that counts, a released result keeps the version that it came with.
    """

    kind_group: int
    kind: str
    event_id: str
    player_id: str
    score: int | None
    score_version: int | None
    reason: str
    evidence: str
    approved_by: str
    match_id: str | None = None
    completed_at: datetime | None = None
    achieved_at: datetime | None = None
    keeps_time: bool = False
    void_event_id: str | None = None
    corrects_event_id: str | None = None
    display: str | None = None


def decide(season: SeasonForWrite, decision: Decision) -> Receipt:
    """Apply a decision to its player's best and record it; return its receipt."""
    db.require_transaction()
    boards = boards_of_newcomers(season, [decision.player_id])
    db.execute(
        ENSURE_BEST.literal(namespace=season.namespace),
        player_id=decision.player_id,
        region=boards.get(decision.player_id),
        epoch=season.open_epoch,
    )
    best = locked_best(season.namespace, decision.player_id)
    if _is_stale(decision, best):
        receipt = _receipt(decision, rules.STALE_VERSION, best.score, best.score_version, None)
        return record_decision(season, decision, receipt)
    return _apply(season, decision, best)


def record_decision(
    season: SeasonForWrite,
    decision: Decision,
    receipt: Receipt,
    *,
    change: Change = NO_CHANGE,
    revision: int = 0,
) -> Receipt:
    """Write a decision into the ledger, with what it changed, and return its receipt."""
    inserted = db.execute(
        INSERT_DECISION.literal(namespace=season.ledger_namespace),
        **decision._replace(score_version=decision.score_version or 0)._asdict(),
        epoch=season.open_epoch,
        accepted_at=season.accepted_at,
        revision=revision,
        outcome=receipt.outcome,
        receipt_score=receipt.best_score,
        receipt_version=receipt.score_version,
        visible_in_version=receipt.visible_in_version,
        change_no=change.change_no,
        old_score=change.old.score,
        new_score=change.new.score,
        old_region=change.old.region,
        new_region=change.new.region,
        old_tie_key=change.old.tie_key,
        new_tie_key=change.new.tie_key,
    )
    if inserted != 1:
        raise RunAgain
    changes = [change] if change.change_no is not None else []
    record_changes(season, events=1, changes=changes)
    return receipt


def _is_stale(decision: Decision, best: LockedBest) -> bool:
    if decision.kind_group == rules.OUR_OWN:
        return False
    return (decision.score_version, 0) <= (best.score_version, best.revision)


def _apply(season: SeasonForWrite, decision: Decision, best: LockedBest) -> Receipt:
    # The match service's own version is kept by what we change ourselves: the next honest
    # result, which carries the next version, must not be stale.
    own = decision.kind_group == rules.OUR_OWN
    version = best.score_version if own else decision.score_version
    assert version is not None
    revision = best.revision + 1 if own else 0
    before = folded_events(season.ledger_namespace, decision.player_id)
    row_revision = 0
    if decision.score_version is None:
        last, row_revision = _behind_all(before, (version, revision))
        decision = decision._replace(score_version=last)
    state = rules.fold([*before, _folded(decision, row_revision, best)], season.keep)
    change = Change(
        decision.player_id,
        best.change_no + 1,
        old=Shown(best.score, best.tie_key, best.region),
        new=Shown(state.shown, rules.shown_tie_key(state, season.tie_rule), best.region),
        from_epoch=best.epoch,
    )
    epoch = season.open_epoch if change.visible else best.epoch
    _correct_best(season, state, decision.player_id, (version, revision), epoch)
    receipt = _receipt(
        decision,
        _outcome(decision, best, state),
        state.shown,
        version or None,
        season.open_epoch if change.visible else None,
    )
    return record_decision(season, decision, receipt, change=change, revision=row_revision)


def _behind_all(before: Iterable[FoldedEvent], place: tuple[int, int]) -> tuple[int, int]:
    """Return a place, or one behind a held result that was let in with a higher version."""
    last = max(((event.score_version, event.revision) for event in before), default=place)
    return (last[0], last[1] + 1) if last[0] > place[0] else place


def _folded(decision: Decision, revision: int, best: LockedBest) -> FoldedEvent:
    assert decision.score_version is not None
    return FoldedEvent(
        decision.event_id,
        decision.kind,
        decision.score,
        decision.completed_at,
        decision.achieved_at,
        decision.keeps_time,
        decision.void_event_id,
        decision.score_version,
        revision,
        best.change_no + 1,
    )


def _correct_best(
    season: SeasonForWrite, state: Fold, player_id: str, version: tuple[int, int], epoch: int
) -> None:
    db.execute(
        CORRECT_BEST.literal(namespace=season.namespace),
        player_id=player_id,
        score=state.shown,
        hidden_score=state.score if state.removed else None,
        removed=state.removed,
        tie_key=rules.shown_tie_key(state, season.tie_rule),
        hidden_tie_key=rules.hidden_tie_key(state, season.tie_rule),
        score_version=version[0],
        revision=version[1],
        epoch=epoch,
    )


def _outcome(decision: Decision, best: LockedBest, state: Fold) -> str:
    if decision.kind != rules.RELEASE:
        return rules.CORRECTED
    return rules.IMPROVED if state.score != best.state.score else rules.NOT_IMPROVED


def _receipt(
    decision: Decision,
    outcome: str,
    score: int | None,
    score_version: int | None,
    visible_in_version: int | None,
) -> Receipt:
    return Receipt(
        decision.event_id,
        decision.player_id,
        outcome,
        replayed=False,
        best_score=score,
        score_version=score_version,
        visible_in_version=visible_in_version,
    )
