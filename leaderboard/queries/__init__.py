"""Questions about boards: every public read is one statement that begins at the version."""

from leaderboard.queries.changes import Changes, Position, changes
from leaderboard.queries.distribution import Distribution, distribution
from leaderboard.queries.friends import FoundFriends, friends
from leaderboard.queries.lookup import Found, lookup
from leaderboard.queries.neighbours import Neighbours, neighbours, players_around
from leaderboard.queries.published import Published, published
from leaderboard.queries.rank_of_player import RankOfPlayer, rank_of_player
from leaderboard.queries.rank_of_score import RankOfScore, rank_of_score
from leaderboard.queries.window import (
    Entry,
    Header,
    Page,
    Place,
    Top,
    players_after,
    players_before,
    top,
)

__all__ = [
    "Changes",
    "Distribution",
    "Entry",
    "Found",
    "FoundFriends",
    "Header",
    "Neighbours",
    "Page",
    "Place",
    "Position",
    "Published",
    "RankOfPlayer",
    "RankOfScore",
    "Top",
    "changes",
    "distribution",
    "friends",
    "lookup",
    "neighbours",
    "players_after",
    "players_around",
    "players_before",
    "published",
    "rank_of_player",
    "rank_of_score",
    "top",
]
