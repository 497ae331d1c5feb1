"""`GET …/leaderboard/distribution`: how the players are spread over the scores."""

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import board_operation, kept_reply
from leaderboard.api.kept import KEPT, Kept, kept
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
        found = see(question, lambda sight: _distribution(sight, buckets, percentile))
        return kept_reply(request, *found)


def _distribution(sight: Sight, ranges: int, percentile: int | None) -> Kept | None:
    def make(sight: Sight) -> Kept | None:
        found = distribution(
            sight.season,
            ranges=ranges,
            percentiles=SHOWN if percentile is None else (*SHOWN, percentile),
            version=sight.version,
            board=sight.board,
        )
        return found and kept(found.header, **_members(found, percentile))

    return KEPT.of(sight, make, "distribution", ranges, percentile)


def _members(found: Distribution, percentile: int | None) -> dict[str, object]:
    asked_for = {} if percentile is None else _score_for(percentile, found)
    return {
        "buckets": [CountedRange(*counted) for counted in found.ranges],
        "percentiles": Percentiles(*(found.percentiles[share] for share in SHOWN)),
        **asked_for,
    }


def _score_for(percentile: int, found: Distribution) -> dict[str, object]:
    score = ScoreForPercentile(percentile, found.percentiles[percentile])
    return {"score_for_percentile": score}
