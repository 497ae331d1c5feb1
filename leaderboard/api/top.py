"""`GET …/leaderboard/top`: the first places of a board."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from config.http import parameters
from config.http.endpoint import Endpoint
from config.http.openapi import operation, query_integer
from leaderboard.api.asked import Sight, asked, see
from leaderboard.api.board import board_operation, board_reply, cache_control, head_of
from leaderboard.api.entries import placed
from leaderboard.api.shapes import TopReply
from leaderboard.queries.displays import displays
from leaderboard.queries.window import Top, top
from leaderboard.rules import TOP_LENGTH

_MOST_REMEMBERED = 256


class ShownTop(NamedTuple):
    """The highest places of a board, and the display data of those that have any, by player."""

    top: Top
    shown: dict[str, str]


_remembered: dict[tuple[int, int, int], ShownTop] = {}


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
        header = found.top.header
        entries = placed(sight, found.top.entries[:limit], 1, found.shown)
        reply = TopReply(entries=entries, **head_of(sight, header))
        return board_reply(request, reply, cache_control(sight, header))


def forget_tops() -> None:
    """Forget what was read: another database has other boards."""
    _remembered.clear()


def _top(sight: Sight) -> ShownTop | None:
    # A pinned version is always read, so that it expires here when it does everywhere; and all
    # are while publication is stopped: bests or buckets may be lost.
    key = (sight.season.season_id, sight.version, sight.board)
    is_read = sight.pinned or sight.season.failed_check is not None
    found = None if is_read else _remembered.get(key)
    if found is None:
        found = _read(sight)
        if found is not None and not sight.pinned:
            _remember(key, found)
    return found


def _read(sight: Sight) -> ShownTop | None:
    season, version = sight.season, sight.version
    found = top(season, version=version, limit=TOP_LENGTH, board=sight.board)
    return found and ShownTop(found, displays(season, found.entries, version=version))


def _remember(key: tuple[int, int, int], found: ShownTop) -> None:
    if len(_remembered) >= _MOST_REMEMBERED:
        _remembered.clear()
    _remembered[key] = found
