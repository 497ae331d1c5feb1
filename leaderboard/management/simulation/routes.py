"""Where results are sent, and what a reply tells of each of them. Pure."""

from collections.abc import Sequence
from typing import Any

from leaderboard.management.simulation.delivery import Answer
from leaderboard.management.simulation.requests import (
    Part,
    Request,
    Route,
    Told,
    part_of_season,
    part_of_series,
)
from leaderboard.management.simulation.season import Season

Json = dict[str, Any]
OF_BATCH = {"season_id", "leaderboard_version", "results"}
OF_SERIES = {"series_id", "results"}
OF_EVENT = {"event_id", "player_id", "outcome", "seasons"}


class SeasonRoute:
    """Results go to one season."""

    is_series = False

    def __init__(self, season_id: str) -> None:
        """Send to this season."""
        self.address = season_address(season_id)
        self._season_id = season_id

    def told(self, request: Request, answer: Answer) -> list[Told] | None:
        """Return the receipts in request order, None if the reply has none."""
        return told_by_season(request, answer, self._season_id)

    def part(self, request: Request, season: Season, told: Sequence[Sequence[Told]]) -> Part:
        """Return what a request says to a season."""
        return part_of_season(request, season)


class SeriesRoute:
    """Results go to all seasons of a series that contain them."""

    is_series = True

    def __init__(self, series_id: str) -> None:
        """Send to this series."""
        self.address = f"/internal/v1/series/{series_id}"

    def told(self, request: Request, answer: Answer) -> list[Told] | None:
        """Return the receipts by season in request order, None if the reply has none."""
        reply = answer.reply
        if not request.batch and request.items[0].clash:
            is_conflict = (reply.status, reply.body.get("code")) == (409, "event_conflict")
            return [{}] if is_conflict else None
        results = reply.body.get("results") if request.batch else [reply.body]
        if reply.status != 200 or (request.batch and reply.body.keys() != OF_SERIES):
            return None
        if not isinstance(results, list) or len(results) != len(request.items):
            return None
        told = [
            _told_of(one.body["event_id"], result, clash=one.clash)
            for one, result in zip(request.items, results, strict=True)
        ]
        found = [one for one in told if one is not None]
        return found if len(found) == len(told) else None

    def part(self, request: Request, season: Season, told: Sequence[Sequence[Told]]) -> Part:
        """Return what a request says to a season."""
        return part_of_series(request, season, told)


def season_address(season_id: str) -> str:
    """Return where one season takes results and corrections."""
    return f"/internal/v1/seasons/{season_id}"


def path_of(request: Request, address: str) -> str:
    """Return where a request is sent, of a writer whose results go to this address."""
    if request.season is not None:
        address = season_address(request.season.season_id)
    return f"{address}/{'corrections' if request.route is Route.CORRECTION else 'scores:apply'}"


def told_by_season(request: Request, answer: Answer, season_id: str) -> list[Told] | None:
    """Return the receipts of a reply by one season, None if it has none; {} is a lone conflict."""
    reply, lone = answer.reply, request.items[0]
    if request.batch:
        results = reply.body.get("results", [])
        fits = reply.body.keys() == OF_BATCH and len(results) == len(request.items)
        return [{season_id: one} for one in results] if reply.status == 200 and fits else None
    if lone.clash:
        conflict = reply.status == 409 and reply.body.get("code") == "event_conflict"
        return [{}] if conflict else None
    return [{season_id: reply.body}] if reply.status == 200 else None


def _told_of(event_id: str, result: Json, *, clash: bool) -> Told | None:
    """Return what a series tells of one event, None if that is not what it may be."""
    if result.keys() != OF_EVENT or result["event_id"] != event_id:
        return None
    seasons = {one["season_id"]: _without_season(one) for one in result["seasons"]}
    outcome = "conflict" if clash else "recorded" if seasons else "no_open_season"
    fits = result["outcome"] == outcome and len(seasons) == len(result["seasons"])
    return seasons if fits and not (clash and seasons) else None


def _without_season(receipt: Json) -> Json:
    return {name: value for name, value in receipt.items() if name != "season_id"}
