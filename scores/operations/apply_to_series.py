"""Accept results for a series: each goes into every open season that it belongs to."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from config.errors import SeasonRetired
from scores.queries import KnownEvent, known_events
from scores.rules import Event, Receipt
from scores.steps import (
    Entry,
    RunAgain,
    accept,
    require_few,
    require_valid,
    until_it_holds,
    write_scores_of,
)
from seasons.queries import SeasonForWrite
from seasons.queries.seasons_at import SeasonAt, seasons_at
from seasons.queries.series import series_for_write

OutcomeForSeries = Literal["recorded", "no_open_season", "conflict"]


class AppliedToSeries(NamedTuple):
    """What became of an event, and its receipts by the ids of the seasons that it is in."""

    event: Event
    outcome: OutcomeForSeries
    receipts: dict[str, Receipt]


class Part(NamedTuple):
    """A season that results of a batch belong to, and those of them that it knows."""

    slug: str
    season: SeasonForWrite
    known: Mapping[str, KnownEvent]

    def lacks(self, event: Event) -> bool:
        """Return whether the season takes a result, and has not got it yet."""
        contained = self.season.starts_at <= event.completed_at < self.season.cutoff_at
        return contained and self.season.takes_results and event.event_id not in self.known


def apply_to_series(slug: str, events: Sequence[Event]) -> list[AppliedToSeries]:
    """
    Accept a batch of results in one transaction, each in all open seasons that contain it.

    A season contains a result by the time of its completion, and is open until it is final:
    what comes after the grace time is late there. A repeated event gets its first receipts, in
    every state of its seasons. An id that one of the seasons knows with other content is a
    conflict in all. The whole batch is refused, and nothing stored, by SeriesNotFound,
    ValidationFailed (also for results in too many seasons) and Unavailable.
    """
    series = series_for_write(slug)
    require_valid(series.scores, series.read_at, events)
    return until_it_holds(lambda: _apply(series.series_id, events))


def _apply(series_id: int, events: Sequence[Event]) -> list[AppliedToSeries]:
    found = seasons_at(series_id, (event.completed_at for event in events))
    if not found:
        return [AppliedToSeries(event, "no_open_season", {}) for event in events]
    require_few(found, events)
    try:
        with write_scores_of(one.season_id for one in found) as seasons:
            return _apply_to(_parts(seasons, found, events), events)
    except SeasonRetired as gone:
        raise RunAgain from gone


def _parts(
    seasons: Mapping[int, SeasonForWrite], found: Iterable[SeasonAt], events: Sequence[Event]
) -> list[Part]:
    event_ids = {event.event_id for event in events}
    return [
        Part(one.slug, season, known_events(season.ledger_namespace, event_ids))
        for one in found
        for season in [seasons[one.season_id]]
    ]


def _apply_to(parts: Sequence[Part], events: Sequence[Event]) -> list[AppliedToSeries]:
    scores = parts[0].season.scores
    # Each is an object of its own: of equal ones, only the first is the one that is taken.
    sent = [event.turned(scores)._replace() for event in events]
    taken = _taken(parts, sent)
    # Rows are locked season by season, ascending, whatever the order of the rules.
    entries = {
        part.slug: accept(part.season, [event for event in taken.values() if part.lacks(event)])
        for part in sorted(parts, key=lambda part: part.season.season_id)
    }
    return [_applied(event, taken.get(event.event_id), parts, entries) for event in sent]


def _taken(parts: Sequence[Part], events: Iterable[Event]) -> dict[str, Event]:
    """Return, by id, the first event that is what the seasons know, if they know it."""
    taken: dict[str, Event] = {}
    for event in events:
        if not _conflicts(event, parts):
            taken.setdefault(event.event_id, event)
    return taken


def _conflicts(event: Event, parts: Iterable[Part]) -> bool:
    known = [part.known[event.event_id] for part in parts if event.event_id in part.known]
    return not all(row.is_result(event) for row in known)


def _applied(
    event: Event,
    taken: Event | None,
    parts: Iterable[Part],
    entries: Mapping[str, Mapping[str, Entry]],
) -> AppliedToSeries:
    if event != taken:
        return AppliedToSeries(event, "conflict", {})
    receipts = {}
    for part in parts:
        receipt = _receipt(event, part, entries[part.slug], repeated=event is not taken)
        if receipt is not None:
            receipts[part.slug] = receipt.turned(part.season.scores)
    return AppliedToSeries(event, "recorded" if receipts else "no_open_season", receipts)


def _receipt(
    event: Event, part: Part, entries: Mapping[str, Entry], *, repeated: bool
) -> Receipt | None:
    if event.event_id in part.known:
        return part.known[event.event_id].receipt
    if event.event_id not in entries:
        return None
    receipt = entries[event.event_id].receipt
    return receipt._replace(replayed=True) if repeated else receipt
