"""`POST …/settlements`: a reward run says by which version it paid."""

from django.http import HttpRequest, HttpResponse

from config.http.bodies import body_of
from config.http.openapi import Operation, operation
from config.http.parameters import season_slug
from config.http.replies import json_reply
from config.http.times import show_time
from leaderboard.api.known import KNOWN, READS
from leaderboard.api.results import checksum_now
from leaderboard.api.shapes import SettlementReply
from leaderboard.forms import SettlementBody, read_settlement
from leaderboard.models import Settlement
from leaderboard.operations.record_settlement import record_settlement
from leaderboard.queries.results import final_or_corrected
from scores.api.service import ServiceEndpoint


class Settlements(ServiceEndpoint):
    """Takes the reports of reward runs."""

    scope = "settlements:write"

    @operation(
        Operation(
            "record_settlement",
            "A reward run that paid by a version",
            SettlementReply,
            body=(SettlementBody,),
            codes=("season_not_found", "not_final", "settlement_conflict", "version_unknown"),
            tag="Results",
        )
    )
    def post(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Record the settlement and answer with what is on record."""
        slug = season_slug(season_id)
        sent = read_settlement(body_of(request))
        with READS.entered():
            season = KNOWN.renewed(slug)
            version = final_or_corrected(season, sent.version)
            checksum = checksum_now(season, version)
        settlement = record_settlement(
            season,
            version,
            checksum,
            settlement_id=sent.settlement_id,
            checksum=sent.checksum,
        )
        return json_reply(shown(settlement))


def shown(settlement: Settlement) -> SettlementReply:
    """Return a settlement as replies show it."""
    return SettlementReply(
        settlement.settlement_id,
        settlement.version,
        settlement.checksum,
        show_time(settlement.recorded_at),
    )
