"""`PUT …/friends`: where a trusted service says who a player's friends are."""

from django.http import HttpRequest, HttpResponse
from msgspec import Struct

from config.http.bodies import body_of
from config.http.fields import FriendsVersion, Identifier, Time
from config.http.openapi import Operation, operation
from config.http.parameters import identifier
from config.http.replies import json_reply
from config.http.times import show_time
from scores.api.service import ServiceEndpoint
from scores.forms import FriendsBody, read_friends
from scores.operations.set_friends import set_friends


class FriendListReply(Struct, forbid_unknown_fields=True):
    """A player's friends as they are stored: each once, the player left out."""

    player_id: Identifier
    friend_ids: list[Identifier]
    friends_version: FriendsVersion
    updated_at: Time


class PlayerFriendList(ServiceEndpoint):
    """Takes the friends of one player."""

    scope = "players:write"

    @operation(
        Operation(
            "set_friends",
            "Set a player's friends",
            FriendListReply,
            body=(FriendsBody,),
            codes=("friends_conflict",),
            tag="Writing",
        )
    )
    def put(self, request: HttpRequest, player_id: str) -> HttpResponse:
        """Store them and answer with the stored row."""
        player_id = identifier("player_id", player_id)
        stored = set_friends(read_friends(player_id, body_of(request)))
        reply = FriendListReply(*stored[:3], updated_at=show_time(stored.updated_at))
        return json_reply(reply)
