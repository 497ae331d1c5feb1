"""`GET …/players/{player_id}/friends`: a player among friends."""

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation
from config.lately import PLAYERS
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import CURRENT, board_operation, board_reply, head_of
from leaderboard.api.entries import grouped
from leaderboard.api.shapes import FriendsReply
from leaderboard.queries.friends import FoundFriends, friends


class PlayerFriends(Endpoint):
    """A player and up to five hundred friends, and their order."""

    @operation(board_operation("player_friends", "A player among friends", FriendsReply))
    def get(self, request: HttpRequest, season_id: str, player_id: str) -> HttpResponse:
        """Answer with one statement; the list is the one stored now, at any version."""
        question = asked(request, season_id)
        player = parameters.identifier("player_id", player_id)
        sight, found = see(question, lambda sight: _friends(sight, player))
        PLAYERS.note(sight.season.season_id, player)
        reply = FriendsReply(
            friends_version=found.friends_version,
            entries=grouped(sight, found.entries),
            missing=found.missing,
            **head_of(sight, found.header),
        )
        # Also of a pinned version the reply changes with the list of friends.
        return board_reply(request, reply, CURRENT, found.friends_version)


def _friends(sight: Sight, player_id: str) -> FoundFriends | None:
    return friends(sight.season, player_id, version=sight.version, board=sight.board)
