"""
What a result makes of a best, also if something was decided of later ones already.

A held result that was let in counts at its own version, which may be above the best's. What
arrives below it stands before it in the fold: there the result is not the newest.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from config import db
from scores import rules
from scores.queries.corrected_player import folded_events
from scores.rules import Event, FoldedEvent
from scores.steps.writing import Change, Shown
from seasons.queries import SeasonForWrite

DECIDED_ABOVE = db.statement(__file__, "decided_above")
REFOLD_BEST = db.statement(__file__, "refold_best")


class AppliedResult(NamedTuple):
    """A best after a result was folded into it, and what it was before."""

    player_id: str
    score: int | None
    hidden_score: int | None
    removed: bool
    tie_key: int
    region: int | None
    change_no: int
    previous_score: int | None
    previous_hidden_score: int | None
    previous_tie_key: int | None
    previous_region: int | None
    previous_epoch: int | None

    @property
    def best(self) -> int | None:
        """Return the best as stored, shown or hidden."""
        return self.hidden_score if self.removed else self.score

    @property
    def improved(self) -> bool:
        """Return whether the result raised the best."""
        previous = self.previous_hidden_score if self.removed else self.previous_score
        return self.best != previous

    @property
    def change(self) -> Change:
        """Return what the result did to what is shown."""
        return Change(
            self.player_id,
            self.change_no,
            old=Shown(self.previous_score, self.previous_tie_key, self.previous_region),
            new=Shown(self.score, self.tie_key, self.region),
            from_epoch=self.previous_epoch,
        )


class Place(NamedTuple):
    """A place in the fold of a player's events."""

    player_id: str
    score_version: int
    revision: int


def folded_event(event: Event, change_no: int) -> FoldedEvent:
    """Return what the fold needs to know of a result."""
    return FoldedEvent(
        event.event_id,
        rules.RESULT,
        event.best_score,
        event.completed_at,
        score_version=event.score_version,
        change_no=change_no,
    )


def refold(
    season: SeasonForWrite,
    events: Sequence[Event],
    applied: Mapping[str, AppliedResult],
    earlier: Mapping[str, Sequence[FoldedEvent]],
) -> dict[str, AppliedResult]:
    """
    Fold anew those of some applied results that stand before a decision, and return them.

    `earlier` has, by player, results of the same batch that count and are in no ledger yet.
    """
    db.require_transaction()
    statement = DECIDED_ABOVE.literal(namespace=season.ledger_namespace)
    found = db.fetch_all(Place, statement, player_ids=list(applied))
    decided = {place.player_id: place[1:] for place in found}
    return {
        player: _refolded(season, event, applied[player], earlier.get(player, ()))
        for event in events
        for player in [event.player_id]
        if player in applied and decided.get(player, (0, 0)) > (event.score_version, 0)
    }


def _refolded(
    season: SeasonForWrite,
    event: Event,
    applied: AppliedResult,
    earlier: Sequence[FoldedEvent],
) -> AppliedResult:
    own = [*folded_events(season.ledger_namespace, event.player_id), *earlier]
    state = rules.fold([*own, folded_event(event, applied.change_no)], season.keep)
    hidden_score = state.score if state.removed else None
    tie_key = rules.shown_tie_key(state, season.tie_rule)
    applied = applied._replace(score=state.shown, hidden_score=hidden_score, tie_key=tie_key)
    is_new = applied.change.visible or applied.previous_epoch is None
    db.execute(
        REFOLD_BEST.literal(namespace=season.namespace),
        player_id=event.player_id,
        score=applied.score,
        hidden_score=hidden_score,
        tie_key=tie_key,
        hidden_tie_key=rules.hidden_tie_key(state, season.tie_rule),
        epoch=season.open_epoch if is_new else applied.previous_epoch,
    )
    return applied
