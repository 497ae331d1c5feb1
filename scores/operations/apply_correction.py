"""Accept a correction: a score set by decision, a removal, or an event taken out."""

from config import db
from config.errors import EventConflict, Fault, ValidationFailed
from scores import rules
from scores.queries import known_events
from scores.queries.corrected_player import LockedBest, folded_events, locked_best
from scores.rules import Correction, Fold, Receipt
from scores.steps import (
    NO_CHANGE,
    Change,
    RunAgain,
    Shown,
    record_changes,
    require_started,
    until_it_holds,
    write_scores,
)
from seasons.queries import SeasonForWrite, season_id_of

ENSURE_BEST = db.statement(__file__, "ensure_best")
CORRECT_BEST = db.statement(__file__, "correct_best")
INSERT_CORRECTION = db.statement(__file__, "insert_correction")


def apply_correction(slug: str, correction: Correction) -> Receipt:
    """
    Accept a correction in one transaction and return its receipt.

    A repeated one gets its first receipt. Refused, with nothing stored, by SeasonNotFound,
    SeasonNotOpen, EventConflict, ValidationFailed (a score outside the season's range, an
    event to void that is not the player's) and Unavailable.
    """
    season_id = season_id_of(slug)
    return until_it_holds(lambda: _apply(season_id, correction))


def _apply(season_id: int, correction: Correction) -> Receipt:
    with write_scores(season_id) as season:
        _require_in_range(season, correction)
        known = known_events(season.namespace, [correction.event_id])
        if correction.event_id in known:
            if not known[correction.event_id].is_correction(correction):
                raise EventConflict
            return known[correction.event_id].receipt
        require_started(season)
        return _accept(season, correction)


def _require_in_range(season: SeasonForWrite, correction: Correction) -> None:
    score = correction.corrected_score
    if score is not None and not season.score_min <= score <= season.score_max:
        detail = f"The season's scores are {season.score_min} to {season.score_max}."
        raise ValidationFailed([Fault("/corrected_score", "out_of_range", detail)])


def _accept(season: SeasonForWrite, correction: Correction) -> Receipt:
    if correction.kind == "void":
        _require_voidable(season, correction)
    db.execute(
        ENSURE_BEST.literal(namespace=season.namespace),
        player_id=correction.player_id,
        epoch=season.open_epoch,
    )
    best = locked_best(season.namespace, correction.player_id)
    if (correction.score_version, 0) <= (best.score_version, best.revision):
        return _record_stale(season, correction, best)
    return _correct(season, correction, best, _corrected(season, correction, best))


def _require_voidable(season: SeasonForWrite, correction: Correction) -> None:
    assert correction.void_event_id is not None
    found = known_events(season.namespace, [correction.void_event_id])
    target = found.get(correction.void_event_id)
    if target is None or target.player_id != correction.player_id or target.kind == rules.VOID:
        detail = "The player has no result or correction with this id in the season."
        raise ValidationFailed([Fault("/void_event_id", "unknown_event", detail)])


def _corrected(season: SeasonForWrite, correction: Correction, best: LockedBest) -> Fold:
    if correction.kind == "void":
        remaining = folded_events(season.namespace, correction.player_id)
        return rules.fold(remaining, also_void=correction.void_event_id)
    return rules.with_correction(
        best.state,
        score=correction.corrected_score,
        keeps_time=correction.keeps_time,
        achieved_at=correction.achieved_at,
    )


def _correct(
    season: SeasonForWrite, correction: Correction, best: LockedBest, state: Fold
) -> Receipt:
    change = Change(
        correction.player_id,
        best.change_no + 1,
        old=Shown(best.score, best.tie_key, best.region),
        new=Shown(state.shown, 0, best.region),
        from_epoch=best.epoch,
    )
    db.execute(
        CORRECT_BEST.literal(namespace=season.namespace),
        player_id=correction.player_id,
        score=state.shown,
        hidden_score=state.score if state.removed else None,
        removed=state.removed,
        tie_key=0,
        hidden_tie_key=0 if state.removed and state.score is not None else None,
        score_version=correction.score_version,
        epoch=season.open_epoch if change.visible else best.epoch,
    )
    receipt = Receipt(
        correction.event_id,
        correction.player_id,
        rules.CORRECTED,
        replayed=False,
        best_score=state.shown,
        score_version=correction.score_version,
        visible_in_version=season.open_epoch if change.visible else None,
    )
    return _record(season, correction, receipt, change)


def _record_stale(season: SeasonForWrite, correction: Correction, best: LockedBest) -> Receipt:
    receipt = Receipt(
        correction.event_id,
        correction.player_id,
        rules.STALE_VERSION,
        replayed=False,
        best_score=best.score,
        score_version=best.score_version,
        visible_in_version=None,
    )
    return _record(season, correction, receipt, NO_CHANGE)


def _record(
    season: SeasonForWrite, correction: Correction, receipt: Receipt, change: Change
) -> Receipt:
    inserted = db.execute(
        INSERT_CORRECTION.literal(namespace=season.namespace),
        epoch=season.open_epoch,
        kind=rules.VOID if correction.kind == "void" else rules.CORRECTION,
        accepted_at=season.accepted_at,
        event_id=correction.event_id,
        player_id=correction.player_id,
        score=correction.corrected_score,
        score_version=correction.score_version,
        achieved_at=correction.achieved_at,
        keeps_time=correction.keeps_time,
        void_event_id=correction.void_event_id,
        corrects_event_id=correction.corrects_event_id,
        reason=correction.reason,
        evidence=correction.evidence,
        approved_by=correction.approved_by,
        outcome=receipt.outcome,
        receipt_score=receipt.best_score,
        receipt_version=receipt.score_version,
        visible=receipt.visible_in_version,
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
