"""`POST …/series/{series_id}/scores:apply`: results for all open seasons of a series."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import Struct

from config.errors import EventConflict
from config.http.bodies import body_of
from config.http.fields import words
from config.http.openapi import Operation, operation
from config.http.parameters import series_slug
from config.http.replies import json_reply
from scores.api.receipts import SeasonReceiptReply, shown_in_season
from scores.api.service import ServiceEndpoint
from scores.forms import BatchBody, EventBody, read_results
from scores.operations import AppliedToSeries, apply_to_series
from scores.rules import CONFLICT
from seasons.queries.score_range import score_range_of_series


class EventReply(Struct, forbid_unknown_fields=True):
    """
    What became of an event in the seasons that it belongs to.

    `recorded`: it has a receipt of each of these seasons. `no_open_season`: none that is open
    contains it. `conflict`: one of them knows its id with other content.
    """

    event_id: str
    player_id: str
    outcome: Annotated[str, words("recorded", "no_open_season", "conflict")]
    seasons: list[SeasonReceiptReply]


class SeriesBatchReply(Struct, forbid_unknown_fields=True):
    """What became of the events of a batch, in its order."""

    series_id: str
    results: list[EventReply]


class ApplyToSeries(ServiceEndpoint):
    """Takes results, one alone or up to 1,000 together, for whichever seasons contain them."""

    scope = "scores:apply"

    @operation(
        Operation(
            "apply_scores_to_series",
            "Deliver results for a series",
            (SeriesBatchReply, EventReply),
            body=(EventBody, BatchBody),
            codes=("series_not_found", "event_conflict"),
            tag="Writing",
        )
    )
    def post(self, request: HttpRequest, series_id: str) -> HttpResponse:
        """Accept them and answer with their receipts."""
        slug = series_slug(series_id)
        results = read_results(body_of(request), lambda: score_range_of_series(slug))
        with results.refused_in_body():
            applied = [_shown(one) for one in apply_to_series(slug, results.events)]
        if not results.alone:
            return json_reply(SeriesBatchReply(slug, applied))
        if applied[0].outcome == CONFLICT:
            raise EventConflict
        return json_reply(applied[0])


def _shown(applied: AppliedToSeries) -> EventReply:
    return EventReply(
        applied.event.event_id,
        applied.event.player_id,
        applied.outcome,
        [shown_in_season(slug, receipt) for slug, receipt in applied.receipts.items()],
    )
