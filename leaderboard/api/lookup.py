"""`POST …/leaderboard/lookup`: several players of one version, and their order."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import Meta, Struct

from config.http.bodies import Form, body_of
from config.http.endpoint import Endpoint
from config.http.fields import Identifier
from config.http.openapi import Operation, operation
from config.http.replies import json_reply
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import BOARD_CODES, BOARD_PARAMETERS, head_of
from leaderboard.api.entries import grouped
from leaderboard.api.known import BODIES
from leaderboard.api.shapes import LookupReply
from leaderboard.queries.lookup import Found, lookup


class LookupBody(Struct, forbid_unknown_fields=True):
    """The players to look up."""

    player_ids: Annotated[list[Identifier], Meta(min_length=1, max_length=200)]


# A player named twice is shown once.
_FORM = Form(LookupBody, lambda body: list(dict.fromkeys(body.player_ids)))


class LeaderboardLookup(Endpoint):
    """Up to two hundred players at once."""

    @operation(
        Operation(
            "leaderboard_lookup",
            "Several players and their order",
            LookupReply,
            body=(LookupBody,),
            parameters=BOARD_PARAMETERS,
            codes=BOARD_CODES,
        )
    )
    def post(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer with the players in display order, and who is missing."""
        question = asked(request, season_id)
        with BODIES.entered():
            players = _FORM.read(body_of(request))
        sight, found = see(question, lambda sight: _lookup(sight, players))
        present = {entry.player_id for entry in found.entries}
        reply = LookupReply(
            entries=grouped(sight, found.entries),
            missing=[player for player in players if player not in present],
            **head_of(sight, found.header),
        )
        return json_reply(reply, {"Cache-Control": "no-store"})


def _lookup(sight: Sight, player_ids: list[str]) -> Found | None:
    return lookup(sight.season, player_ids, version=sight.version, board=sight.board)
