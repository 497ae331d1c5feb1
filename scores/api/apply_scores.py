"""`POST …/scores:apply`: where a match service delivers results."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from msgspec import Struct

from config.errors import EventConflict
from config.http.bodies import body_of
from config.http.fields import VersionNumber
from config.http.openapi import Operation, operation
from config.http.parameters import season_slug
from config.http.replies import json_reply
from scores.api.receipts import ReceiptReply, shown
from scores.api.service import ServiceEndpoint
from scores.forms import BatchBody, EventBody, read_results
from scores.operations import apply_events
from scores.rules import CONFLICT
from seasons.queries.score_range import score_range_of


class BatchReply(Struct, forbid_unknown_fields=True):
    """The receipts of a batch in the order of its events."""

    season_id: str
    leaderboard_version: VersionNumber | None
    results: list[ReceiptReply]


class ApplyScores(ServiceEndpoint):
    """Takes results, one alone or up to 1,000 together."""

    scope = "scores:apply"
    current_version: Callable[[int], int | None] | None = None

    @operation(
        Operation(
            "apply_scores",
            "Deliver results",
            (BatchReply, ReceiptReply),
            body=(EventBody, BatchBody),
            codes=("season_not_found", "event_conflict", "season_not_open", "season_final"),
            tag="Writing",
        )
    )
    def post(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Accept them and answer with their receipts."""
        slug = season_slug(season_id)
        results = read_results(body_of(request), lambda: score_range_of(slug))
        with results.refused_in_body():
            applied = apply_events(slug, results.events)
        receipts = [shown(receipt) for receipt in applied.receipts]
        if results.alone:
            return json_reply(_alone(receipts[0]))
        current = self.current_version and self.current_version(applied.season_id)
        return json_reply(BatchReply(slug, current, receipts))


def _alone(receipt: ReceiptReply) -> ReceiptReply:
    if receipt.outcome == CONFLICT:
        raise EventConflict
    return receipt
