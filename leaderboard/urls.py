"""Addresses of the boards, the most asked for first."""

from django.urls import path

from config.http.addresses import PLAYER
from leaderboard.api.changes import SeasonChanges
from leaderboard.api.distribution import LeaderboardDistribution
from leaderboard.api.friends import PlayerFriends
from leaderboard.api.lookup import LeaderboardLookup
from leaderboard.api.neighbors import PlayerNeighbors
from leaderboard.api.page import LeaderboardPage
from leaderboard.api.rank import PlayerRank
from leaderboard.api.rank_of import LeaderboardRankOf
from leaderboard.api.ready import Ready
from leaderboard.api.results import SeasonResults
from leaderboard.api.seasons import SeasonDetail, SeasonList
from leaderboard.api.series import SeriesDetail, SeriesList
from leaderboard.api.settlements import Settlements
from leaderboard.api.top import LeaderboardTop
from leaderboard.queries.current_version import current_version_of
from scores.api.apply_scores import ApplyScores

_SEASON = "v1/seasons/<season_id>"

urlpatterns = [
    path(f"{_SEASON}/{PLAYER}/rank", PlayerRank.as_view()),
    path(f"{_SEASON}/leaderboard/top", LeaderboardTop.as_view()),
    path(f"{_SEASON}/{PLAYER}/neighbors", PlayerNeighbors.as_view()),
    path(f"{_SEASON}/{PLAYER}/friends", PlayerFriends.as_view()),
    path(f"{_SEASON}/leaderboard/page", LeaderboardPage.as_view()),
    path(f"{_SEASON}/leaderboard/lookup", LeaderboardLookup.as_view()),
    path(f"{_SEASON}/leaderboard/rank-of", LeaderboardRankOf.as_view()),
    path(f"{_SEASON}/leaderboard/distribution", LeaderboardDistribution.as_view()),
    path(_SEASON, SeasonDetail.as_view()),
    path("v1/seasons", SeasonList.as_view()),
    path("v1/series/<series_id>", SeriesDetail.as_view()),
    path("v1/series", SeriesList.as_view()),
    path(
        f"internal/{_SEASON}/scores:apply",
        ApplyScores.as_view(current_version=current_version_of),
    ),
    path(f"internal/{_SEASON}/changes", SeasonChanges.as_view()),
    path(f"internal/{_SEASON}/results", SeasonResults.as_view()),
    path(f"internal/{_SEASON}/settlements", Settlements.as_view()),
    path("readyz", Ready.as_view()),
]
