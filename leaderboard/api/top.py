"""`GET …/leaderboard/top`: the first places of a board."""

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import board_operation, board_reply, cache_control, head_of
from leaderboard.api.entries import placed
from leaderboard.api.shapes import TopReply
from leaderboard.queries.window import Top, top
from leaderboard.rules import TOP_LENGTH

_MOST_REMEMBERED = 256
_remembered: dict[tuple[int, int, int], Top] = {}


class LeaderboardTop(Endpoint):
    """The first places, up to a hundred."""

    @operation(
        board_operation(
            "leaderboard_top",
            "The first places of a board",
            TopReply,
            query_integer("limit", 1, TOP_LENGTH, "How many.", TOP_LENGTH),
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer from memory if the version was read before."""
        question = asked(request, season_id)
        limit = parameters.limit(request.GET, highest=TOP_LENGTH, default=TOP_LENGTH)
        sight, found = see(question, _top)
        reply = TopReply(
            entries=placed(sight, found.entries[:limit], 1), **head_of(sight, found.header)
        )
        return board_reply(request, reply, cache_control(sight, found.header))


def forget_tops() -> None:
    """Forget what was read: another database has other boards."""
    _remembered.clear()


def _top(sight: Sight) -> Top | None:
    # A pinned version is always read, so that it expires here when it does everywhere; and all
    # are while publication is stopped: bests or buckets may be lost.
    key = (sight.season.season_id, sight.version, sight.board)
    is_read = sight.pinned or sight.season.failed_check is not None
    found = None if is_read else _remembered.get(key)
    if found is None:
        found = top(sight.season, version=sight.version, limit=TOP_LENGTH, board=sight.board)
        if found is not None and not sight.pinned:
            _remember(key, found)
    return found


def _remember(key: tuple[int, int, int], found: Top) -> None:
    if len(_remembered) >= _MOST_REMEMBERED:
        _remembered.clear()
    _remembered[key] = found
