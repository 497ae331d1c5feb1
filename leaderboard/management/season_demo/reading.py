"""Replies about a board against the model's board. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.management.season_demo.checks import Checks
from leaderboard.management.season_demo.model import Board, Row
from leaderboard.management.simulation.envelope import MEMBERS

Json = dict[str, Any]

TOP = 100
PLAIN = ("rank", "player_id", "score")
PLACED = ("rank", "position", "player_id", "score")


@dataclass(slots=True)
class Sight:
    """A pinned version and what every reply about it must say of itself."""

    season_id: str
    version: int
    board: Board
    final: bool = False
    corrects: int | None = None
    as_of: str | None = None

    def head(self) -> Json:
        """Return the members that a pinned reply begins with."""
        return {
            "season_id": self.season_id,
            "region": None,
            "leaderboard_version": self.version,
            "as_of": self.as_of,
            "age_seconds": None,
            "stale": None,
            "final": self.final,
            "corrects": self.corrects,
            "rank_method": "competition",
            "total_players": len(self.board),
        }


def entries(rows: Iterable[Row], members: Sequence[str] = PLAIN) -> list[Json]:
    """Return rows as a reply has them."""
    return [{member: getattr(row, member) for member in members} for row in rows]


def check_reply(checks: Checks, where: str, sight: Sight, body: Json, **own: object) -> None:
    """Check the head of a reply, and that its other members are these."""
    if sight.as_of is None:
        sight.as_of = body.get("as_of")
    head = {member: body[member] for member in MEMBERS if member in body}
    checks.equal(f"head of {where}", sight.head(), head)
    rest = {member: value for member, value in body.items() if member not in MEMBERS}
    checks.equal(where, own, rest)


def check_top(checks: Checks, sight: Sight, body: Json) -> None:
    """Check the first hundred places."""
    rows = entries(sight.board.rows[:TOP], PLACED)
    check_reply(checks, f"top {TOP}", sight, body, entries=rows)


def check_rank(checks: Checks, sight: Sight, player: str, body: Json) -> None:
    """Check the rank of a player who is on the board."""
    (entry,) = _one(sight, player)
    check_reply(checks, f"rank of {player}", sight, body, **entry, pending=None)


def check_neighbours(checks: Checks, sight: Sight, player: str, body: Json, radius: int) -> None:
    """Check the players around one who is on the board."""
    above, below = sight.board.around(player, radius)
    check_reply(
        checks,
        f"neighbours of {player}",
        sight,
        body,
        above=entries(above),
        player=_one(sight, player)[0],
        below=entries(below),
    )


def check_page(checks: Checks, sight: Sight, player: str, body: Json, limit: int) -> None:
    """Check the page around a player who is on the board; its cursors must lead on."""
    rows = sight.board.page_around(player, limit)
    first, last = rows[0].position == 1, rows[-1].position == len(sight.board)
    shown = dict(body)
    cursors = (shown.pop("previous", None) is None, shown.pop("next", None) is None)
    checks.equal(f"ends of the page around {player}", (first, last), cursors)
    found = [{**entry, "position": None} for entry in entries(rows, PLACED)]
    check_reply(checks, f"page around {player}", sight, shown, entries=found)


def check_lookup(checks: Checks, sight: Sight, players: Sequence[str], body: Json) -> None:
    """Check a group of players, some of whom may not be on the board."""
    found = [
        {"rank": row.rank, "group_rank": group, "player_id": row.player_id, "score": row.score}
        for row, group in sight.board.among(players)
    ]
    missing = sorted({player for player in players if player not in sight.board})
    shown = {**body, "missing": sorted(body.get("missing", []))}
    where = f"lookup of {len(players)} players"
    check_reply(checks, where, sight, shown, entries=found, missing=missing)


def _one(sight: Sight, player: str) -> list[Json]:
    row = sight.board.row(player)
    assert row is not None
    return entries([row])
