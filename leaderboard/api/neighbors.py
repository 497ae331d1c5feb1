"""`GET …/players/{player_id}/neighbors`: the players around one."""

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer
from config.lately import PLAYERS
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import (
    board_operation,
    board_reply,
    cache_control,
    head_of,
)
from leaderboard.api.entries import entries_of
from leaderboard.api.rank import not_ranked
from leaderboard.api.shapes import NeighborsReply
from leaderboard.queries.neighbours import Neighbours, neighbours

WIDEST = 50
USUAL = 10


class PlayerNeighbors(Endpoint):
    """A player and up to fifty players on either side."""

    @operation(
        board_operation(
            "player_neighbors",
            "The players around a player",
            NeighborsReply,
            query_integer("radius", 1, WIDEST, "How many on either side.", USUAL),
            codes=("player_not_ranked",),
        )
    )
    def get(self, request: HttpRequest, season_id: str, player_id: str) -> HttpResponse:
        """Answer with fewer at the ends of the board."""
        question = asked(request, season_id)
        player = parameters.identifier("player_id", player_id)
        radius = parameters.limit(request.GET, name="radius", highest=WIDEST, default=USUAL)
        sight, found = see(question, lambda sight: _neighbours(sight, player, radius))
        PLAYERS.note(sight.season.season_id, player)
        if found.player is None:
            raise not_ranked(sight, player)
        entries = entries_of(sight, [*found.above, found.player, *found.below])
        own = len(found.above)
        reply = NeighborsReply(
            above=entries[:own],
            player=entries[own],
            below=entries[own + 1 :],
            **head_of(sight, found.header),
        )
        return board_reply(request, reply, cache_control(sight, found.header))


def _neighbours(sight: Sight, player_id: str, radius: int) -> Neighbours | None:
    return neighbours(
        sight.season, player_id, version=sight.version, radius=radius, board=sight.board
    )
