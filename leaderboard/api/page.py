"""`GET …/leaderboard/page`: the board from any place on, both ways."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from config.errors import VersionExpired
from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer, query_parameter
from config.http.parameters import IDENTIFIER
from leaderboard.api.asked import Asked, Sight, asked, see
from leaderboard.api.board import (
    board_operation,
    board_reply,
    cache_control,
    head_of,
    kept_reply,
)
from leaderboard.api.entries import placed
from leaderboard.api.kept import KEPT, Kept, kept
from leaderboard.api.shapes import PageReply
from leaderboard.api.walk import (
    HIGHEST_SCORE,
    Opened,
    continued,
    from_top,
    next_of,
    opened_cursor,
    previous_of,
    relocated,
    start_of,
)

LONGEST = 100


class LeaderboardPage(Endpoint):
    """Pages of one version, from the top, a cursor, a player or a score on."""

    @operation(
        board_operation(
            "leaderboard_page",
            "A page of a board",
            PageReply,
            query_integer("limit", 1, LONGEST, "How many.", LONGEST),
            query_parameter("cursor", {"type": "string"}, "`next` or `previous` of a page."),
            query_parameter(
                "around_player",
                {"type": "string", "pattern": f"^{IDENTIFIER.pattern}$"},
                "The page with this player in its middle.",
            ),
            query_integer("at_score", 0, HIGHEST_SCORE, "From this score on, downwards."),
            codes=("invalid_cursor", "player_not_ranked"),
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer with the entries and the cursors of the pages on either side."""
        question = asked(request, season_id)
        limit = parameters.limit(request.GET, highest=LONGEST, default=LONGEST)
        start, text = start_of(request.GET)
        if start is from_top and text is None:
            return kept_reply(request, *see(question, lambda sight: _first(sight, limit)))
        if text is None:
            sight, page = see(question, lambda sight: start(sight, limit))
        else:
            sight, page = _go_on(question, text, limit)
        reply = PageReply(**_members(sight, page), **head_of(sight, page.header))
        return board_reply(request, reply, cache_control(sight, page.header))


def _first(sight: Sight, limit: int) -> Kept | None:
    def make(sight: Sight) -> Kept | None:
        page = from_top(sight, limit)
        return page and kept(page.header, **_members(sight, page))

    return KEPT.of(sight, make, "page", limit)


def _members(sight: Sight, page: Opened) -> dict[str, Any]:
    return {
        "entries": placed(sight, page.entries, page.first),
        "next": next_of(sight, page),
        "previous": previous_of(sight, page),
    }


def _go_on(question: Asked, text: str, limit: int) -> tuple[Sight, Opened]:
    pinned, cursor = opened_cursor(question, text)
    try:
        return see(pinned, lambda sight: continued(cursor, sight, limit))
    except VersionExpired as refusal:
        current = refusal.members["current_version"]
        moved = relocated(question, cursor, current)
        raise VersionExpired(current_version=current, relocated_cursor=moved) from None
