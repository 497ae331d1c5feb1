"""What the replies about boards have in common: their head, their caching, their description."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from config.http.openapi import (
    Json,
    Operation,
    header_parameter,
    query_integer,
    query_parameter,
)
from config.http.parameters import LARGEST_VERSION, REGION, VERSION
from config.http.replies import (
    has_etag,
    joined_reply,
    json_reply,
    not_modified,
    weak_etag,
)
from config.http.times import show_time
from leaderboard.api.asked import Sight
from leaderboard.api.kept import Kept
from leaderboard.api.shapes import Board
from leaderboard.operations.purge_versions import VERSION_KEPT_SECONDS
from leaderboard.queries.window import Header

CURRENT = "public, max-age=1, stale-while-revalidate=2"
PENDING = "private, no-cache"
FOR_EVER = "public, max-age=31536000, immutable"

RANK_METHODS = {"shared": "competition", "earliest": "competition_earliest"}

BOARD_CODES = (
    "season_not_found",
    "region_not_found",
    "version_unknown",
    "version_expired",
    "not_published_yet",
    "not_final",
    "no_published_version",
)
BOARD_PARAMETERS = [
    query_parameter("region", {"type": "string", "pattern": f"^{REGION.pattern}$"}, "A board."),
    query_parameter(
        "version",
        {"type": "string", "pattern": f"^({VERSION.pattern})$"},
        "The number of a pinned version, or `final`.",
    ),
    query_integer("min_version", 0, LARGEST_VERSION, "At least this version, else 409."),
    header_parameter("Prefer", "`wait=1..5`: hold the reply until `min_version` is published."),
]
CONDITION = header_parameter("If-None-Match", "The `ETag` of a reply that the client has.")


def board_operation(
    name: str, summary: str, reply: type, *parameters: Json, codes: tuple[str, ...] = ()
) -> Operation:
    """Return the description of a GET that answers about a board."""
    return Operation(
        name,
        summary,
        reply,
        parameters=[*parameters, *BOARD_PARAMETERS, CONDITION],
        codes=(*BOARD_CODES, *codes),
        not_modified=True,
    )


def head_of(sight: Sight, header: Header) -> dict[str, Any]:
    """Return the members that every reply about a board begins with."""
    season, pinned = sight.season, sight.pinned
    final = season.final_version
    as_of = header.sealed_at if pinned or season.as_of is None else season.as_of
    return {
        "season_id": season.slug,
        "region": sight.region,
        "leaderboard_version": header.number,
        "as_of": show_time(as_of),
        "age_seconds": None if pinned else round(season.age.total_seconds(), 3),
        "stale": None if pinned else season.stale,
        "final": header.number == final,
        "corrects": final if final is not None and header.number > final else None,
        "rank_method": RANK_METHODS[season.tie_rule],
        "total_players": header.members[sight.board],
    }


def board_reply(
    request: HttpRequest, reply: Board, cache_control: str, besides: object = None
) -> HttpResponse:
    """
    Return the reply, or 304 to a client that has it.

    `besides` is what the reply depends on besides the version and the query.
    """
    etag = _etag(request, reply, besides)
    headers = {"ETag": etag, "Cache-Control": cache_control}
    return not_modified(headers) if has_etag(request, etag) else json_reply(reply, headers)


def kept_reply(request: HttpRequest, sight: Sight, kept: Kept) -> HttpResponse:
    """Return a reply that is the same for everybody but for the time, or 304."""
    head = Board(**head_of(sight, kept.header))
    etag = _etag(request, head)
    caching = cache_control(sight, kept.header)
    headers = {"ETag": etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if has_etag(request, etag):
        return not_modified(headers)
    return joined_reply(request, head, kept.end, headers)


def cache_control(sight: Sight, header: Header) -> str:
    """Return how long a reply may be kept: a pinned one until its version expires."""
    final = sight.season.final_version
    if not sight.pinned:
        return CURRENT
    if final is not None and header.number >= final:
        return FOR_EVER
    return f"public, max-age={_seconds_readable(sight, header)}"


def _seconds_readable(sight: Sight, header: Header) -> int:
    if header.replaced_at is None:
        return VERSION_KEPT_SECONDS
    replaced_for = (sight.season.now - header.replaced_at).total_seconds()
    return max(0, int(VERSION_KEPT_SECONDS - replaced_for))


def _etag(request: HttpRequest, reply: Board, besides: object = None) -> str:
    return weak_etag(
        request.path,
        request.META.get("QUERY_STRING", ""),
        reply.leaderboard_version,
        reply.stale,
        reply.final,
        besides,
    )
