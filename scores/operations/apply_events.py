"""Accept results: where a score goes in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from config.errors import SeasonFinal, SeasonRetired
from scores import rules
from scores.queries import KnownEvent, known_events
from scores.rules import Event, Receipt
from scores.steps import (
    Accepted,
    Entry,
    RunAgain,
    accept,
    accept_at_first_sight,
    receipts_of,
    require_few,
    require_started,
    require_valid,
    takes_at_first_sight,
    unseen,
    until_it_holds,
    write_scores_of,
)
from seasons.queries import SeasonForWrite, season_id_of
from seasons.queries.seasons_at import SeasonAt, others_at


class Applied(NamedTuple):
    """The receipts of a batch, in the order of its events."""

    season_id: int
    receipts: list[Receipt]


class Moves(NamedTuple):
    """The late results of a season that go to others of its series, and what these know."""

    to: Mapping[str, SeasonAt]
    known: Mapping[str, KnownEvent]

    @property
    def slugs(self) -> dict[str, str]:
        """Return the season that each goes to, by the result's id."""
        return {event_id: season.slug for event_id, season in self.to.items()}

    def into(self, season: SeasonForWrite, events: Sequence[Event]) -> list[Event]:
        """Return those of the events that go to a season which does not know them."""
        return [
            event
            for event in events
            if event.event_id in self.to and event.event_id not in self.known
            if self.to[event.event_id].season_id == season.season_id
        ]


@dataclass
class Attempt:
    """What the attempts before have learned: which fences are needed, and to look up all ids."""

    fenced: set[int]
    looks_first: bool = False


def apply_events(slug: str, events: Sequence[Event]) -> Applied:
    """
    Accept a batch of results in one transaction and return a receipt for each.

    A repeated event gets its first receipt. The whole batch is refused, and nothing stored,
    by SeasonNotFound, SeasonNotOpen, SeasonFinal, SeasonRetired, ValidationFailed (a score
    outside the season's range, a completion time in the future) and Unavailable.
    """
    season_id = season_id_of(slug)
    attempt = Attempt({season_id})
    return Applied(season_id, until_it_holds(lambda: _try(season_id, attempt, events)))


def _try(season_id: int, attempt: Attempt, events: Sequence[Event]) -> list[Receipt]:
    try:
        return _apply(season_id, attempt, events)
    except SeasonRetired as gone:
        if attempt.fenced == {season_id}:
            raise
        # Perhaps it is another one, which takes no late result any more.
        attempt.fenced &= {season_id}
        raise RunAgain from gone
    except RunAgain:
        attempt.looks_first = True
        raise


def _apply(season_id: int, attempt: Attempt, events: Sequence[Event]) -> list[Receipt]:
    with write_scores_of(attempt.fenced) as seasons:
        season = seasons[season_id]
        scores = season.scores
        require_valid(scores, season.accepted_at, events)
        events = [event.turned(scores) for event in events]
        if attempt.looks_first or not takes_at_first_sight(season, events):
            accepted = _looked_up(season, seasons, attempt.fenced, events)
        else:
            accepted = accept_at_first_sight(season, unseen(events, {}))
        receipts = receipts_of(season, events, accepted.known, accepted.entries)
        return [receipt.turned(scores) for receipt in receipts]


def _looked_up(
    season: SeasonForWrite,
    seasons: Mapping[int, SeasonForWrite],
    fenced: set[int],
    events: Sequence[Event],
) -> Accepted:
    """Accept those of the events that the ledger does not know."""
    known = known_events(season.ledger_namespace, {event.event_id for event in events})
    new = unseen(events, known)
    if new:
        _require_acceptable(season)
    moves = _moves(season, seasons, _others(season, fenced, events, new), new)
    known, new = _without_conflicts(known, new, moves)
    entries: dict[str, Entry] = {}
    for other in seasons.values():
        if other is season:
            entries = accept(season, new, moves.slugs)
        else:
            accept(other, moves.into(other, new))
    return Accepted(entries, known)


def _require_acceptable(season: SeasonForWrite) -> None:
    require_started(season)
    if season.status == "final":
        raise SeasonFinal


def _others(
    season: SeasonForWrite, fenced: set[int], events: Sequence[Event], new: Sequence[Event]
) -> list[SeasonAt]:
    """Return the seasons that late results go to; RunAgain if they need more fences."""
    if season.late_policy != rules.NEXT:
        return []
    late = {event.completed_at for event in new if season.is_late(event.completed_at)}
    found = others_at(season.season_id, late) if late else []
    require_few(found, events)
    wanted = {one.season_id for one in found}
    if not wanted <= fenced:
        fenced |= wanted
        raise RunAgain
    return found


def _moves(
    season: SeasonForWrite,
    seasons: Mapping[int, SeasonForWrite],
    others: Sequence[SeasonAt],
    events: Sequence[Event],
) -> Moves:
    to = {
        event.event_id: other
        for other in others
        for event in events
        if season.is_late(event.completed_at)
        if seasons[other.season_id].takes(event.completed_at)
    }
    return Moves(to, _known_there(seasons, to))


def _known_there(
    seasons: Mapping[int, SeasonForWrite], to: Mapping[str, SeasonAt]
) -> dict[str, KnownEvent]:
    known: dict[str, KnownEvent] = {}
    for season_id in {one.season_id for one in to.values()}:
        event_ids = [event_id for event_id, one in to.items() if one.season_id == season_id]
        known |= known_events(seasons[season_id].ledger_namespace, event_ids)
    return known


def _without_conflicts(
    known: Mapping[str, KnownEvent], events: Sequence[Event], moves: Moves
) -> tuple[dict[str, KnownEvent], list[Event]]:
    """Return the results that their new season knows with other content among the known ones."""
    conflicting = {
        event.event_id: moves.known[event.event_id]
        for event in events
        if event.event_id in moves.known and not moves.known[event.event_id].is_result(event)
    }
    return {**known, **conflicting}, [e for e in events if e.event_id not in conflicting]
