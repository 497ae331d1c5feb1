"""`GET …/leaderboard/rank-of`: where a score would stand."""

from django.http import HttpRequest, HttpResponse

from config.errors import InvalidParameter
from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import board_operation, board_reply, cache_control, head_of
from leaderboard.api.shapes import RankOfReply
from leaderboard.queries.rank_of_score import RankOfScore, rank_of_score
from seasons.rules import LARGEST_SCORE


class LeaderboardRankOf(Endpoint):
    """The rank that a score would have, and the share of the players below it."""

    @operation(
        board_operation(
            "leaderboard_rank_of",
            "The rank that a score would have",
            RankOfReply,
            {
                **query_integer("score", 0, LARGEST_SCORE, "Of the season's range."),
                "required": True,
            },
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer whether anybody has the score or not."""
        question = asked(request, season_id)
        score = parameters.integer(request.GET, "score", lowest=0, highest=LARGEST_SCORE)
        if score is None:
            raise InvalidParameter("score is required.")
        sight, found = see(question, lambda sight: _rank_of(sight, score))
        total = found.header.members[sight.board]
        reply = RankOfReply(
            score=score,
            rank=found.rank,
            players_below=found.below,
            share_below=found.below / total if total else 0.0,
            **head_of(sight, found.header),
        )
        return board_reply(request, reply, cache_control(sight, found.header))


def _rank_of(sight: Sight, score: int) -> RankOfScore | None:
    season = sight.season
    if not season.score_min <= score <= season.score_max:
        raise InvalidParameter(
            f"score must be an integer from {season.score_min} to {season.score_max}."
        )
    return rank_of_score(season, score, version=sight.version, board=sight.board)
