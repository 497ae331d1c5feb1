"""Approve or reject a correction that was asked for."""

import uuid

from django.contrib.auth.models import User
from django.db.models.functions import Now

from config import db
from config.errors import AnotherPersonNeeded, Fault, RequestDecided, ValidationFailed
from scores import rules
from scores.models import CorrectionRequest
from scores.operations.request_correction import LONGEST_REASON
from scores.queries.correction_request import LockedRequest, locked_request, season_of_request
from scores.queries.ledger_events import own_receipt
from scores.rules import Receipt
from scores.steps import Decision, decide, require_started, until_it_holds, write_scores

REQUESTED = "requested"
APPROVED = "approved"
REJECTED = "rejected"


def approve_correction(
    request_id: int, *, decided_by: User, reason: str, needs_two: bool = True
) -> Receipt:
    """
    Let a requested correction happen, in one transaction, and return its receipt.

    It becomes an event of our own, with a version that makes it count. With `needs_two`,
    nobody approves what they asked for. Raises NotFound, RequestDecided, AnotherPersonNeeded,
    ValidationFailed, SeasonNotOpen and Unavailable, with nothing changed.
    """
    _require_reason(reason)
    season_id = season_of_request(request_id)
    event_id = f"admin-{request_id}-{uuid.uuid4().hex}"

    def approve() -> Receipt:
        with write_scores(season_id) as season:
            request = locked_request(request_id)
            if request.event_id == event_id:
                # The commit of the try before got through, though its answer was lost.
                receipt = own_receipt(season.ledger_namespace, event_id)
                return receipt.turned(season.scores)
            _require_undecided(request)
            if needs_two and request.requested_by_id == decided_by.pk:
                raise AnotherPersonNeeded
            require_started(season)
            request = request.turned(season.scores)
            receipt = decide(season, _decision(request, event_id, decided_by.username))
            _note(request_id, APPROVED, decided_by, reason, event_id)
            return receipt.turned(season.scores)

    return until_it_holds(approve)


def reject_correction(request_id: int, *, decided_by: User, reason: str) -> None:
    """
    Turn a request down, on record; nothing else changes.

    Raises NotFound, RequestDecided and ValidationFailed.
    """
    _require_reason(reason)
    with db.transact:
        _require_undecided(locked_request(request_id))
        _note(request_id, REJECTED, decided_by, reason)


def _require_reason(reason: str) -> None:
    if not 1 <= len(reason.strip()) <= LONGEST_REASON or "\0" in reason:
        detail = f"It has 1 to {LONGEST_REASON} characters."
        raise ValidationFailed([Fault("/reason", "length", detail)])


def _require_undecided(request: LockedRequest) -> None:
    if request.status != REQUESTED:
        raise RequestDecided(f"The request has been {request.status} already.")


def _decision(request: LockedRequest, event_id: str, approved_by: str) -> Decision:
    return Decision(
        kind_group=rules.OUR_OWN,
        kind=rules.VOID if request.kind == "void" else rules.CORRECTION,
        event_id=event_id,
        player_id=request.player_id,
        score=request.corrected_score,
        score_version=None,
        reason=request.reason,
        evidence=request.evidence,
        approved_by=approved_by,
        keeps_time=True,
        void_event_id=request.void_event_id,
        corrects_event_id=request.corrects_event_id,
    )


def _note(
    request_id: int, status: str, decided_by: User, reason: str, event_id: str | None = None
) -> None:
    CorrectionRequest.objects.filter(id=request_id).update(
        status=status,
        decided_by=decided_by,
        decided_at=Now(),
        decision_reason=reason,
        event_id=event_id,
    )
