"""`GET /v1/seasons` and `GET /v1/seasons/{season_id}`: what is played, and where it stands."""

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.cursors import seal, unseal
from config.http.endpoint import Endpoint
from config.http.openapi import Operation, operation, query_integer, query_parameter
from config.http.replies import json_reply
from config.http.times import show_time
from leaderboard.api.board import CURRENT
from leaderboard.api.known import KNOWN, READS
from leaderboard.api.settlements import shown
from leaderboard.api.shapes import SeasonReply, SeasonsReply
from leaderboard.models import Settlement
from leaderboard.queries.published import Published
from leaderboard.queries.published_seasons import (
    corrected_versions,
    published_seasons,
    settlements,
)

MOST_SEASONS = 100
_PURPOSE = "seasons"


class SeasonList(Endpoint):
    """The seasons in order of their ids."""

    @operation(
        Operation(
            "seasons",
            "The seasons in order of their ids",
            SeasonsReply,
            parameters=[
                query_parameter("cursor", {"type": "string"}, "`next` of the page before."),
                query_integer("limit", 1, MOST_SEASONS, "How many.", MOST_SEASONS),
            ],
            codes=("invalid_cursor",),
        )
    )
    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer with a page of seasons."""
        limit = parameters.limit(request.GET, highest=MOST_SEASONS, default=MOST_SEASONS)
        cursor = parameters.single(request.GET, "cursor")
        after = "" if cursor is None else unseal(_PURPOSE, cursor, str)
        with READS.entered():
            found = published_seasons(after, limit=limit + 1)
            shown = _shown(found[:limit])
        following = seal(_PURPOSE, shown[-1].season_id) if len(found) > limit else None
        return json_reply(SeasonsReply(shown, following), {"Cache-Control": CURRENT})


class SeasonDetail(Endpoint):
    """One season."""

    @operation(
        Operation("season", "One season", SeasonReply, codes=("season_not_found",)),
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer with the season's rules, state and versions."""
        slug = parameters.season_slug(season_id)
        with READS.entered():
            (shown,) = _shown([KNOWN.season(slug)])
        return json_reply(shown, {"Cache-Control": CURRENT})


def _shown(seasons: list[Published]) -> list[SeasonReply]:
    final = {
        season.season_id: season.namespace
        for season in seasons
        if season.final_version is not None
    }
    corrected = corrected_versions(final) if final else {}
    settled = settlements(final) if final else {}
    return [
        _reply(season, corrected.get(season.season_id, []), settled.get(season.season_id, []))
        for season in seasons
    ]


def _reply(season: Published, corrected: list[int], settled: list[Settlement]) -> SeasonReply:
    return SeasonReply(
        season_id=season.slug,
        name=season.name,
        status=season.status,
        starts_at=show_time(season.starts_at),
        cutoff_at=show_time(season.cutoff_at),
        grace_seconds=season.grace_seconds,
        late_policy=season.late_policy,
        tie_rule=season.tie_rule,
        order=season.order,
        keep=season.keep,
        score_min=season.score_min,
        score_max=season.score_max,
        regions=season.regions,
        current_version=season.number,
        as_of=None if season.as_of is None else show_time(season.as_of),
        final_version=season.final_version,
        corrected_versions=corrected,
        settlements=[shown(settlement) for settlement in settled],
        promise_kept=season.as_of is not None and not season.stale,
    )
