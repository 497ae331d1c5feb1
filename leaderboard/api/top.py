"""`GET …/leaderboard/top`: the first places of a board."""

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import board_operation, kept_reply
from leaderboard.api.entries import placed
from leaderboard.api.kept import KEPT, Kept, kept
from leaderboard.api.shapes import TopReply
from leaderboard.queries.window import top
from leaderboard.rules import TOP_LENGTH


class LeaderboardTop(Endpoint):
    """The first places, up to a hundred."""

    @operation(
        board_operation(
            "leaderboard_top",
            "The first places of a board",
            TopReply,
            query_integer("limit", 1, TOP_LENGTH, "How many.", TOP_LENGTH),
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer from memory if the version was read before."""
        question = asked(request, season_id)
        limit = parameters.limit(request.GET, highest=TOP_LENGTH, default=TOP_LENGTH)
        return kept_reply(request, *see(question, lambda sight: _top(sight, limit)))


def _top(sight: Sight, limit: int) -> Kept | None:
    def make(sight: Sight) -> Kept | None:
        found = top(sight.season, version=sight.version, limit=limit, board=sight.board)
        return found and kept(found.header, entries=placed(sight, found.entries, 1))

    return KEPT.of(sight, make, "top", limit)
