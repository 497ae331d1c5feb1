"""What every board reply says beside its rows. Pure."""

from collections.abc import Iterator
from typing import Any

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.model import Board
from leaderboard.management.simulation.questions import Seen

Json = dict[str, Any]
MEMBERS = frozenset(
    {
        "season_id",
        "region",
        "leaderboard_version",
        "as_of",
        "age_seconds",
        "stale",
        "final",
        "corrects",
        "rank_method",
        "total_players",
    }
)
STALE_AFTER = 5.0
ROUNDING = 0.1


def misses(body: Json, more: frozenset[str], where: str) -> Iterator[Finding]:
    """Return a finding if a reply has not exactly the members that it should have."""
    if body.keys() != MEMBERS | more:
        odd = sorted(body.keys() ^ (MEMBERS | more))
        yield Finding("shape", f"{where}: members missing or too many: {odd}")


def check_envelope(seen: Seen, board: Board, season_id: str, where: str) -> Iterator[Finding]:
    """Return what is wrong with a reply's statements about itself."""
    body, total = seen.body, len(board.standings)
    fixed = (body["season_id"], body["region"], body["corrects"], body["rank_method"])
    expected = (season_id, board.region, None, "competition")
    if fixed != expected or not isinstance(body["final"], bool):
        yield Finding("shape", f"{where}: season, region, corrects and rank_method are {fixed}")
    if body["total_players"] != total:
        yield Finding("total", f"{where}: total_players {body['total_players']}, is {total}")
    # The contract leaves open whether a page by cursor counts as pinned.
    by_cursor = seen.question.held is not None and body["age_seconds"] is None
    yield from _times(body, where, pinned=seen.question.pinned is not None or by_cursor)


def _times(body: Json, where: str, *, pinned: bool) -> Iterator[Finding]:
    age, stale = body["age_seconds"], body["stale"]
    if pinned:
        if (age, stale) != (None, None):
            yield Finding("pinned_reply", f"{where}: pinned, with age {age} and stale {stale}")
    elif not isinstance(age, int | float) or not isinstance(stale, bool):
        yield Finding("shape", f"{where}: age_seconds {age!r}, stale {stale!r}")
    elif body["final"]:
        if stale:
            yield Finding("stale_flag", f"{where}: final, and stale")
    elif abs(age - STALE_AFTER) > ROUNDING and stale != (age > STALE_AFTER):
        yield Finding("stale_flag", f"{where}: stale is {stale} at an age of {age} s")
