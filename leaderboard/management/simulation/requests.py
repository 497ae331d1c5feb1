"""Requests as a match service sends them, and what each season is told by them. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Any

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.folding import Act
from leaderboard.management.simulation.receipts import Item
from leaderboard.management.simulation.season import LATE_FOR_GOOD, Season

Json = dict[str, Any]
# What a reply tells of one event: its receipts by season.
Told = Mapping[str, Json]


class Route(Enum):
    """Where a request goes: where the writer's results go, or to one season alone."""

    RESULTS = "results"
    CORRECTION = "corrections"
    LATE = "late results"


@dataclass(frozen=True, slots=True)
class Sending:
    """
    One event of a request: what it means, what is sent, and what is known of its id.

    `first` are the receipts that it had when it was sent before; a `clash` bears the id of
    another event.
    """

    act: Act
    body: Json
    completed_at: datetime | None = None
    first: Told | None = None
    clash: bool = False

    def item(self, season_id: str, ruled_out: str | None) -> Item:
        """Return the event as one season has it."""
        first = None if self.first is None else self.first.get(season_id)
        return Item(replace(self.act, ruled_out=ruled_out), self.body, first, self.clash)


@dataclass(frozen=True, slots=True)
class Request:
    """One request: a single event or a batch, sent once or on two connections at once."""

    route: Route
    items: tuple[Sending, ...]
    batch: bool = False
    twice: bool = False
    season: Season | None = None

    def body(self) -> Json:
        """Return what is sent."""
        if self.batch:
            return {"events": [item.body for item in self.items]}
        return self.items[0].body


class Ruling(Enum):
    """What a season makes of new results: by the clock, all those of a request alike."""

    IN_TIME = "in time"
    LATE = "late"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Part:
    """What a request says to one season: at which places, and as which items."""

    at: tuple[int, ...]
    items: tuple[Item, ...]

    def receipts(self, season_id: str, told: Sequence[Told]) -> list[Json]:
        """Return what a reply tells of these items."""
        return [told[at][season_id] for at in self.at]


def part_of_season(request: Request, season: Season) -> Part:
    """Return what a request to one season says to it; a lone conflict has no receipt."""
    sent = [(at, one) for at, one in enumerate(request.items) if request.batch or not one.clash]
    items = tuple(one.item(season.season_id, _by_completion(one, season)) for _, one in sent)
    return Part(tuple(at for at, _ in sent), items)


def part_of_series(request: Request, season: Season, told: Sequence[Sequence[Told]]) -> Part:
    """Return what a request to a series says to one of its seasons, by what it was told."""
    ruling = ruling_of(request, season, told)
    outcome = LATE_FOR_GOOD[season.late_policy] if ruling is Ruling.LATE else None
    sent = [
        (at, one)
        for at, one in enumerate(request.items)
        if _belongs(one, season) and all(season.season_id in reply[at] for reply in told)
    ]
    items = tuple(one.item(season.season_id, outcome) for _, one in sent)
    return Part(tuple(at for at, _ in sent), items)


def ruling_of(request: Request, season: Season, told: Sequence[Sequence[Told]]) -> Ruling:
    """Return what a season made of the new results of a request, by their receipts."""
    season_id, late = season.season_id, LATE_FOR_GOOD[season.late_policy]
    outcomes = [
        reply[at].get(season_id, {}).get("outcome")
        for reply in told
        for at, one in enumerate(request.items)
        if _is_new(one, season)
    ]
    if outcomes and not any(outcomes):
        return Ruling.ABSENT
    return Ruling.LATE if late in outcomes else Ruling.IN_TIME


def misplaced(
    request: Request,
    seasons: Sequence[Season],
    told: Sequence[Told],
    sent: datetime,
    answered: datetime,
) -> Iterator[Finding]:
    """Return which events of a request lack the receipt of a season, or have one too many."""
    for at, one in enumerate(request.items):
        if not one.clash:
            yield from _extra(one, seasons, told[at])
    for season in seasons:
        may_be_over = season.may_refuse(answered)
        yield from _missing(request, season, told, may_be_over=may_be_over)
        ruling = ruling_of(request, season, [told])
        late = ruling is Ruling.LATE and not may_be_over
        early = ruling is Ruling.IN_TIME and not season.may_take(sent)
        if late or (early and any(_is_new(one, season) for one in request.items)):
            text = f"{season.season_id} took {request.items[0].body} for {ruling.value}"
            yield Finding("receipt", text)


def _missing(
    request: Request, season: Season, told: Sequence[Told], *, may_be_over: bool
) -> Iterator[Finding]:
    """A season that is over knows no new result, and after a while none at all."""
    belonging = [(at, one) for at, one in enumerate(request.items) if _must_be_in(one, season)]
    lacking = [one for at, one in belonging if season.season_id not in told[at]]
    new = [one for _, one in belonging if _is_new(one, season)]
    none_came = all(one in lacking for one in new)
    if lacking and not (may_be_over and none_came):
        text = f"{lacking[0].body} has no receipt of {season.season_id}"
        yield Finding("season_missing", text)


def _extra(one: Sending, seasons: Sequence[Season], told: Told) -> Iterator[Finding]:
    for season_id, receipt in told.items():
        season = next((season for season in seasons if season.season_id == season_id), None)
        first = (one.first or {}).get(season_id)
        if first is not None:
            if season is None and {**receipt, "replayed": False} != {**first, "replayed": False}:
                yield Finding("receipt", f"a repeated event had {first} first, now {receipt}")
        elif season is None or not _belongs(one, season):
            yield Finding("season_extra", f"{one.body} has a receipt of {season_id}: {receipt}")


def _belongs(one: Sending, season: Season) -> bool:
    known = one.first is not None and season.season_id in one.first
    return not one.clash and (known or _is_new(one, season))


def _must_be_in(one: Sending, season: Season) -> bool:
    """Return whether a season tells of an event: it may tell of others that it knows besides."""
    completed_at = one.completed_at
    return not one.clash and completed_at is not None and season.contains(completed_at)


def _is_new(one: Sending, season: Season) -> bool:
    """Return whether a season gets a result for the first time by this request."""
    known = one.clash or (one.first is not None and season.season_id in one.first)
    return not known and one.completed_at is not None and season.contains(one.completed_at)


def _by_completion(one: Sending, season: Season) -> str | None:
    return None if one.completed_at is None else season.ruled_out(one.completed_at)
