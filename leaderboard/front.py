"""The reads that are asked for most, and answered ahead of Django."""

import re

from config.http.front import Front, Route
from config.http.parameters import IDENTIFIER, SLUG
from leaderboard.api.lookup import LeaderboardLookup
from leaderboard.api.neighbors import PlayerNeighbors
from leaderboard.api.page import LeaderboardPage
from leaderboard.api.rank import PlayerRank
from leaderboard.api.top import LeaderboardTop

_SEASON = f"/v1/seasons/(?P<season_id>{SLUG.pattern})"
_PLAYER = f"{_SEASON}/players/(?P<player_id>{IDENTIFIER.pattern})"
_BOARD = f"{_SEASON}/leaderboard"

FRONT = Front(
    [
        Route(re.compile(f"{_PLAYER}/rank"), PlayerRank),
        Route(re.compile(f"{_BOARD}/top"), LeaderboardTop, shared=True),
        Route(re.compile(f"{_PLAYER}/neighbors"), PlayerNeighbors),
        Route(re.compile(f"{_BOARD}/page"), LeaderboardPage),
        Route(re.compile(f"{_BOARD}/lookup"), LeaderboardLookup, "POST"),
    ]
)
