"""`GET /v1/series` and `GET /v1/series/{series_id}`: seasons that make themselves."""

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.cursors import seal, unseal
from config.http.endpoint import Endpoint
from config.http.openapi import Operation, operation, query_integer, query_parameter
from config.http.replies import json_reply
from config.http.times import show_time
from leaderboard.api.board import CURRENT
from leaderboard.api.known import READS
from leaderboard.api.shapes import (
    SeasonOfSeries,
    SeriesListReply,
    SeriesReply,
    SeriesRulesReply,
    WindowRuleReply,
)
from seasons.models import Series, WindowRule
from seasons.queries.series import series_after, series_of
from seasons.queries.windows import PastPlace, SeasonInWindow, past_windows, present_windows
from seasons.rules import offset_text

MOST = 100
_PURPOSE = "series"
_CURSOR = query_parameter("cursor", {"type": "string"}, "`next` of the page before.")


class SeriesList(Endpoint):
    """The series in order of their ids."""

    @operation(
        Operation(
            "series_list",
            "The series in order of their ids",
            SeriesListReply,
            parameters=[_CURSOR, query_integer("limit", 1, MOST, "How many.", MOST)],
            codes=("invalid_cursor",),
        )
    )
    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer with a page of series."""
        limit = parameters.limit(request.GET, highest=MOST, default=MOST)
        cursor = parameters.single(request.GET, "cursor")
        after = "" if cursor is None else unseal(_PURPOSE, cursor, str)
        with READS.entered():
            found = series_after(after, limit=limit + 1)
        shown = [SeriesRulesReply(**_rules(series)) for series in found[:limit]]
        following = seal(_PURPOSE, shown[-1].series_id) if len(found) > limit else None
        return json_reply(SeriesListReply(shown, following), {"Cache-Control": CURRENT})


class SeriesDetail(Endpoint):
    """One series with its seasons."""

    @operation(
        Operation(
            "series",
            "A series with its current seasons, the next ones, and a page of past ones",
            SeriesReply,
            parameters=[_CURSOR, query_integer("limit", 1, MOST, "How many past ones.", MOST)],
            codes=("series_not_found", "invalid_cursor"),
        )
    )
    def get(self, request: HttpRequest, series_id: str) -> HttpResponse:
        """Answer with the series' rules, its seasons, and a cursor to older ones."""
        slug = parameters.series_slug(series_id)
        limit = parameters.limit(request.GET, highest=MOST, default=MOST)
        cursor = parameters.single(request.GET, "cursor")
        purpose = f"{_PURPOSE}/{slug}"
        before = PastPlace() if cursor is None else unseal(purpose, cursor, PastPlace)
        with READS.entered():
            series = series_of(slug, using="reads")
            present = present_windows(series.id)
            past = past_windows(series.id, before, limit=limit + 1)
        more = len(past) > limit
        return json_reply(
            SeriesReply(
                **_rules(series),
                current=_seasons(series, [one for one in present if one.status == "open"]),
                upcoming=_seasons(series, [one for one in present if one.status == "scheduled"]),
                past=_seasons(series, past[:limit]),
                next=seal(purpose, past[limit - 1].place) if more else None,
            ),
            {"Cache-Control": CURRENT},
        )


def _rules(series: Series) -> dict[str, Any]:
    shared = (
        "name", "time_zone", "grace_seconds", "late_policy", "tie_rule", "order", "keep",
        "score_min", "score_max", "regions", "kept_days",
    )  # fmt: skip
    return {
        **{name: getattr(series, name) for name in shared},
        "series_id": series.slug,
        "starts_at": None if series.starts_at is None else show_time(series.starts_at),
        "ended_at": None if series.ended_at is None else show_time(series.ended_at),
        "windows": [_window(rule) for rule in series.window_rules.all()],
    }


def _window(rule: WindowRule) -> WindowRuleReply:
    return WindowRuleReply(rule.suffix, rule.kind, rule.cron or None, rule.duration_seconds)


def _seasons(series: Series, found: list[SeasonInWindow]) -> list[SeasonOfSeries]:
    zone = ZoneInfo(series.time_zone)
    return [
        SeasonOfSeries(
            season_id=one.slug,
            window=one.suffix,
            status=one.status,
            starts_at=show_time(one.starts_at),
            cutoff_at=show_time(one.cutoff_at),
            time_zone=series.time_zone,
            utc_offset=offset_text(one.starts_at, zone),
            final_version=one.final_version,
            retired_at=None if one.retired_at is None else show_time(one.retired_at),
        )
        for one in found
    ]
