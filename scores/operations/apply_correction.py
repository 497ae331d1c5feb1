"""Accept a correction: a score set by decision, a removal, or an event taken out."""

from collections.abc import Iterable

from config.errors import EventConflict, Fault, ValidationFailed
from scores import rules
from scores.queries import known_events
from scores.rules import Correction, Receipt
from scores.steps import Decision, decide, require_started, until_it_holds, write_scores
from scores.steps.correctable import event_faults, score_faults
from seasons.queries import season_id_of


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
        _require(score_faults(season, correction.corrected_score))
        correction = correction.turned(season.scores)
        known = known_events(season.ledger_namespace, [correction.event_id])
        if correction.event_id in known:
            if not known[correction.event_id].is_correction(correction):
                raise EventConflict
            return known[correction.event_id].receipt.turned(season.scores)
        require_started(season)
        void = correction.void_event_id
        _require(event_faults(season, correction.player_id, "void_event_id", void))
        return decide(season, _decision(correction)).turned(season.scores)


def _require(faults: Iterable[Fault]) -> None:
    found = list(faults)
    if found:
        raise ValidationFailed(found)


def _decision(correction: Correction) -> Decision:
    return Decision(
        kind_group=rules.MATCH_SERVICE,
        kind=rules.VOID if correction.kind == "void" else rules.CORRECTION,
        event_id=correction.event_id,
        player_id=correction.player_id,
        score=correction.corrected_score,
        score_version=correction.score_version,
        reason=correction.reason,
        evidence=correction.evidence,
        approved_by=correction.approved_by,
        achieved_at=correction.achieved_at,
        keeps_time=correction.keeps_time,
        void_event_id=correction.void_event_id,
        corrects_event_id=correction.corrects_event_id,
    )
