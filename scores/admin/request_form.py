"""The form that asks for a correction."""

from typing import Any

from config.admin import fields, seeking
from config.http.parameters import IDENTIFIER, SLUG
from scores.operations.request_correction import (
    LONGEST_EVIDENCE,
    LONGEST_REASON,
    WantedCorrection,
)

KINDS = (
    ("set", "New score"),
    ("remove", "Removal from the boards"),
    ("void", "Take one event out"),
)


class CorrectionForm(seeking.SeasonForm):
    """Asks which player, what should change, why, and on what evidence."""

    player_id = seeking.identifier("Player")
    kind = fields.choice("What", KINDS)
    corrected_score = fields.number("New score", required=False, help_text="For a new score.")
    void_event_id = seeking.identifier(
        "Event to take out", required=False, help_text="A result or a correction of the player."
    )
    corrects_event_id = seeking.identifier(
        "Event that it is about", required=False, help_text="It stays as it is."
    )
    reason = fields.long_text("Reason", longest=LONGEST_REASON)
    evidence = fields.long_text(
        "Evidence",
        longest=LONGEST_EVIDENCE,
        required=False,
        help_text="The address of a video or a ticket, or a description.",
    )

    @property
    def shown_season(self) -> str | None:
        """Return the season that the form is about so far."""
        return self._so_far("season", SLUG)

    @property
    def shown_event(self) -> str | None:
        """Return the event that the form is about so far."""
        event = self._so_far("void_event_id", IDENTIFIER)
        return event or self._so_far("corrects_event_id", IDENTIFIER)

    def _so_far(self, name: str, pattern: Any) -> str | None:
        text = self[name].value()
        return text if isinstance(text, str) and pattern.fullmatch(text) else None


def wanted_by(answers: dict[str, Any]) -> WantedCorrection:
    """Return what the filled in form asks for."""
    return WantedCorrection(
        player_id=answers["player_id"],
        kind=answers["kind"],
        reason=answers["reason"],
        evidence=answers["evidence"],
        corrected_score=answers["corrected_score"],
        void_event_id=answers["void_event_id"] or None,
        corrects_event_id=answers["corrects_event_id"] or None,
    )
