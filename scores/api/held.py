"""`GET …/held`: results that came too late and wait for a decision in the admin."""

from django.http import HttpRequest, HttpResponse
from msgspec import Struct

from config.http import parameters
from config.http.cursors import seal, unseal
from config.http.fields import Identifier, Score, ScoreVersion, Time
from config.http.openapi import Operation, operation, query_integer, query_parameter
from config.http.replies import json_reply
from config.http.times import show_time
from scores.api.service import ServiceEndpoint
from scores.queries.held_results import HeldResult, held_results
from seasons.queries.score_range import score_range_of
from seasons.rules import ScoreRange

MOST_HELD = 1_000


class HeldResultReply(Struct, forbid_unknown_fields=True):
    """A result that is held, as it was sent."""

    event_id: Identifier
    match_id: Identifier
    player_id: Identifier
    best_score: Score
    score_version: ScoreVersion
    completed_at: Time
    accepted_at: Time


class HeldReply(Struct, forbid_unknown_fields=True):
    """Held results in order of acceptance, and the cursor of those after them."""

    held: list[HeldResultReply]
    next: str | None


class HeldResults(ServiceEndpoint):
    """The held results of a season that nobody has decided on."""

    scope = "results:read"

    @operation(
        Operation(
            "held_results",
            "Late results that wait for a decision",
            HeldReply,
            parameters=[
                query_parameter("cursor", {"type": "string"}, "`next` of the page before."),
                query_integer("limit", 1, MOST_HELD, "How many.", MOST_HELD),
            ],
            codes=("invalid_cursor", "season_not_found"),
            tag="Results",
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer with a page of held results."""
        slug = parameters.season_slug(season_id)
        limit = parameters.limit(request.GET, highest=MOST_HELD, default=MOST_HELD)
        cursor = parameters.single(request.GET, "cursor")
        after = 0 if cursor is None else unseal(f"held/{slug}", cursor, int)
        scores = score_range_of(slug, using="reads")
        found = held_results(slug, after=after, limit=limit + 1)
        shown = found[:limit]
        following = seal(f"held/{slug}", shown[-1].id) if len(found) > limit else None
        reply = HeldReply([_shown(scores, result) for result in shown], following)
        return json_reply(reply, {"Cache-Control": "no-store"})


def _shown(scores: ScoreRange, held: HeldResult) -> HeldResultReply:
    return HeldResultReply(
        held.event_id,
        held.match_id,
        held.player_id,
        scores.turned(held.score),
        held.score_version,
        show_time(held.completed_at),
        show_time(held.accepted_at),
    )
