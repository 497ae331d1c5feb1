"""`GET …/leaderboard/distribution`: how the players are spread over the scores."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from msgspec import UNSET, UnsetType

from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import board_operation, board_reply, cache_control, head_of
from leaderboard.api.shapes import (
    CountedRange,
    DistributionReply,
    Percentiles,
    ScoreForPercentile,
)
from leaderboard.queries.distribution import Distribution, distribution

MOST_BUCKETS = 200
USUAL_BUCKETS = 20
SHOWN = (1, 5, 10, 25, 50, 75, 90, 95, 99)


class LeaderboardDistribution(Endpoint):
    """Counts by equal ranges of scores, percentiles, and the score of any one."""

    @operation(
        board_operation(
            "leaderboard_distribution",
            "How the players are spread over the scores",
            DistributionReply,
            query_integer("buckets", 1, MOST_BUCKETS, "How many ranges.", USUAL_BUCKETS),
            query_integer("percentile", 1, 100, "One whose score stands in the reply besides."),
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer with as many ranges as asked for, or one a score if there are fewer scores."""
        question = asked(request, season_id)
        buckets = parameters.limit(
            request.GET, name="buckets", highest=MOST_BUCKETS, default=USUAL_BUCKETS
        )
        percentile = parameters.integer(request.GET, "percentile", lowest=1, highest=100)
        shares = SHOWN if percentile is None else (*SHOWN, percentile)
        sight, found = see(question, lambda sight: _distribution(sight, buckets, shares))
        reply = DistributionReply(
            buckets=[CountedRange(*counted) for counted in found.ranges],
            percentiles=Percentiles(*(found.percentiles[share] for share in SHOWN)),
            score_for_percentile=_score_for(percentile, found.percentiles),
            **head_of(sight, found.header),
        )
        return board_reply(request, reply, cache_control(sight, found.header))


def _distribution(sight: Sight, ranges: int, percentiles: tuple[int, ...]) -> Distribution | None:
    return distribution(
        sight.season,
        ranges=ranges,
        percentiles=percentiles,
        version=sight.version,
        board=sight.board,
    )


def _score_for(
    percentile: int | None, scores: Mapping[int, int | None]
) -> ScoreForPercentile | UnsetType:
    return UNSET if percentile is None else ScoreForPercentile(percentile, scores[percentile])
