"""`GET …/players/{player_id}/rank`: where one player stands."""

from django.http import HttpRequest, HttpResponse

from config.errors import PlayerNotRanked
from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation
from config.lately import PLAYERS
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import PENDING, board_operation, board_reply, cache_control, head_of
from leaderboard.api.entries import achieved_at
from leaderboard.api.shapes import Pending, RankReply
from leaderboard.queries.rank_of_player import RankOfPlayer, rank_of_player
from leaderboard.queries.window import Header


class PlayerRank(Endpoint):
    """A player's rank, and what is accepted of the player but not published yet."""

    @operation(
        board_operation("player_rank", "A player's rank", RankReply, codes=("player_not_ranked",))
    )
    def get(self, request: HttpRequest, season_id: str, player_id: str) -> HttpResponse:
        """Answer with one statement, however many players there are."""
        question = asked(request, season_id)
        player = parameters.identifier("player_id", player_id)
        sight, found = see(question, lambda sight: _rank(sight, player))
        PLAYERS.note(sight.season.season_id, player)
        pending = None if sight.pinned else pending_of(sight, found)
        if found.score is None or found.rank is None:
            raise _not_ranked(found, pending)
        header = Header(*found[:4])
        reply = RankReply(
            rank=found.rank,
            player_id=player,
            score=sight.season.scores.turned(found.score),
            achieved_at=achieved_at(sight.season, found.tie_key or 0),
            pending=pending,
            **head_of(sight, header),
        )
        caching = PENDING if pending else cache_control(sight, header)
        return board_reply(request, reply, caching, pending)


def not_ranked(sight: Sight, player_id: str) -> PlayerNotRanked:
    """Return the refusal for a player who is not on the board, with what waits for a version."""
    found = None if sight.pinned else _rank(sight, player_id)
    if found is None:
        return PlayerNotRanked(pending=None, leaderboard_version=sight.version)
    return _not_ranked(found, pending_of(sight, found))


def pending_of(sight: Sight, found: RankOfPlayer) -> Pending | None:
    """Return what is accepted of a player beyond the version that was read."""
    if not found.is_pending or found.accepted_epoch is None or found.accepted_version is None:
        return None
    score = sight.season.scores.turned(found.accepted_score)
    return Pending(score, found.accepted_version, found.accepted_epoch)


def _rank(sight: Sight, player_id: str) -> RankOfPlayer | None:
    return rank_of_player(sight.season, player_id, version=sight.version, board=sight.board)


def _not_ranked(found: RankOfPlayer, pending: Pending | None) -> PlayerNotRanked:
    return PlayerNotRanked(pending=pending, leaderboard_version=found.number)
