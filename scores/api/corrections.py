"""`POST …/corrections`: a score set by decision, a removal, or an event taken out."""

from django.http import HttpRequest, HttpResponse

from config.http.bodies import body_of
from config.http.openapi import Operation, operation
from config.http.parameters import season_slug
from config.http.replies import json_reply
from scores.api.receipts import ReceiptReply, shown
from scores.api.service import ServiceEndpoint
from scores.forms import CorrectionBody, read_correction
from scores.operations import apply_correction


class Corrections(ServiceEndpoint):
    """Takes corrections."""

    scope = "scores:correct"

    @operation(
        Operation(
            "correct_score",
            "Correct, remove or void",
            ReceiptReply,
            body=(CorrectionBody,),
            codes=("season_not_found", "event_conflict", "season_not_open"),
            tag="Writing",
        )
    )
    def post(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Accept a correction and answer with its receipt."""
        slug = season_slug(season_id)
        receipt = apply_correction(slug, read_correction(body_of(request)))
        return json_reply(shown(receipt))
