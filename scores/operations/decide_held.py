"""Let a held result in, or refuse it."""

from config.errors import Fault, HeldResultDecided, ValidationFailed
from scores import rules
from scores.queries.held_results import HeldResult, held_result
from scores.queries.stored_bests import stored_bests
from scores.rules import Receipt
from scores.steps import Decision, decide, record_decision, until_it_holds, write_scores
from seasons.queries import SeasonForWrite, season_id_of


def release_held(slug: str, event_id: str, *, actor: str, reason: str) -> Receipt:
    """
    Let a held result count, as an event of our own, and return its receipt.

    The player's events fold anew with it at its own version, which others may have passed.
    Raises SeasonNotFound, ValidationFailed for an event that was not held, HeldResultDecided,
    and Unavailable.
    """
    season_id = season_id_of(slug)
    return until_it_holds(lambda: _release(season_id, event_id, actor, reason))


def refuse_held(slug: str, event_id: str, *, actor: str, reason: str) -> Receipt:
    """Refuse a held result for good, on record; raises what `release_held` raises."""
    season_id = season_id_of(slug)
    return until_it_holds(lambda: _refuse(season_id, event_id, actor, reason))


def _release(season_id: int, event_id: str, actor: str, reason: str) -> Receipt:
    with write_scores(season_id) as season:
        held = _undecided(season, event_id)
        decision = _decision(held, rules.RELEASE, actor, reason)
        return decide(season, decision).turned(season.scores)


def _refuse(season_id: int, event_id: str, actor: str, reason: str) -> Receipt:
    with write_scores(season_id) as season:
        held = _undecided(season, event_id)
        stored = stored_bests(season.namespace, [held.player_id]).get(held.player_id)
        receipt = Receipt(
            event_id,
            held.player_id,
            rules.LATE_REJECTED,
            replayed=False,
            best_score=stored.score if stored else None,
            score_version=stored.score_version if stored else None,
            visible_in_version=None,
        )
        decision = _decision(held, rules.REFUSAL, actor, reason)
        return record_decision(season, decision, receipt).turned(season.scores)


def _undecided(season: SeasonForWrite, event_id: str) -> HeldResult:
    held = held_result(season.ledger_namespace, event_id)
    if held is None:
        detail = "No result with this id is held in the season."
        raise ValidationFailed([Fault("/event_id", "unknown_event", detail)])
    if held.decision is not None:
        raise HeldResultDecided
    return held


def _decision(held: HeldResult, kind: str, actor: str, reason: str) -> Decision:
    return Decision(
        kind_group=rules.OUR_OWN,
        kind=kind,
        event_id=held.event_id,
        player_id=held.player_id,
        score=held.score,
        score_version=held.score_version,
        reason=reason,
        evidence="",
        approved_by=actor,
        match_id=held.match_id,
        completed_at=held.completed_at,
        display=held.display,
    )
