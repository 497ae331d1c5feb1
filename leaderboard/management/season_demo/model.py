"""What a season must look like, from what was sent: a few lines of plain Python. Pure."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Row(NamedTuple):
    """A player on the board, as a line of the results has it."""

    position: int
    rank: int
    player_id: str
    score: int


class Model:
    """What is stored of each player, and who is off the boards."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.best: dict[str, int] = {}
        self.version: dict[str, int] = {}
        self.removed: set[str] = set()

    def result(self, player: str, score: int, version: int) -> str:
        """Take a result that is in time, and return its outcome."""
        if version <= self.version.get(player, 0):
            return "stale_version"
        self.version[player] = version
        if score <= self.best.get(player, -1):
            return "not_improved"
        self.best[player] = score
        return "improved"

    def correct(self, player: str, score: int, version: int) -> None:
        """Set a score, which also ends a removal."""
        self.best[player], self.version[player] = score, version
        self.removed.discard(player)

    def remove(self, player: str, version: int) -> None:
        """Take a player off the boards; what was and will be achieved is kept."""
        self.version[player] = version
        self.removed.add(player)

    def bring_back(self, player: str, version: int) -> None:
        """Take a removal out, as if it had never been."""
        self.version[player] = version
        self.removed.discard(player)

    def release(self, player: str, score: int) -> str:
        """Let a held result count at its own version, and return its outcome."""
        if score <= self.best.get(player, -1):
            return "not_improved"
        self.best[player] = score
        return "improved"

    def shown(self, player: str) -> int | None:
        """Return the player's score on the board; None for one who is not there."""
        return None if player in self.removed else self.best.get(player)

    def scores(self) -> dict[str, int]:
        """Return everybody on the board."""
        return {name: best for name, best in self.best.items() if name not in self.removed}


class Board:
    """The order of some scores at one moment."""

    def __init__(self, scores: Mapping[str, int]) -> None:
        """Sort them: the highest first, equal ones by player."""
        self.rows = list(_ranked(sorted(scores.items(), key=lambda one: (-one[1], one[0]))))
        self._at = {row.player_id: row.position - 1 for row in self.rows}

    def row(self, player: str) -> Row | None:
        """Return the player's row."""
        at = self._at.get(player)
        return None if at is None else self.rows[at]

    def around(self, player: str, radius: int) -> tuple[list[Row], list[Row]]:
        """Return the rows on either side of a player who is on the board, best first."""
        at = self._at[player]
        return self.rows[max(0, at - radius) : at], self.rows[at + 1 : at + 1 + radius]

    def page_around(self, player: str, limit: int) -> list[Row]:
        """Return the page with a player in its middle, or nearer to an end of the board."""
        first = max(0, min(self._at[player] - limit // 2, len(self.rows) - limit))
        return self.rows[first : first + limit]

    def among(self, players: Iterable[str]) -> list[tuple[Row, int]]:
        """Return those of the players who are on the board, once, with the rank among them."""
        places = sorted({self._at[player] for player in players if player in self})
        rows = [self.rows[at] for at in places]
        inner = _ranked([(row.player_id, row.score) for row in rows])
        return [(row, own.rank) for row, own in zip(rows, inner, strict=True)]

    def __contains__(self, player: object) -> bool:
        """Return whether somebody is on the board."""
        return player in self._at

    def __len__(self) -> int:
        """Return how many players are on the board."""
        return len(self.rows)


class Move(NamedTuple):
    """How a player stands on two boards; no old rank: entered, no new one: left."""

    player_id: str
    old_rank: int | None
    old_score: int | None
    new_rank: int | None
    new_score: int | None


def moves(old: Board, new: Board) -> list[Move]:
    """Return who differs in rank or score: in the order of the new board, then who left."""
    players = [row.player_id for row in new.rows]
    players += [row.player_id for row in old.rows if row.player_id not in new]
    found = [
        Move(player, *_rank_and_score(old, player), *_rank_and_score(new, player))
        for player in players
    ]
    return [move for move in found if move[1:3] != move[3:5]]


def _rank_and_score(board: Board, player: str) -> tuple[int | None, int | None]:
    row = board.row(player)
    return (None, None) if row is None else (row.rank, row.score)


def _ranked(ordered: Iterable[tuple[str, int]]) -> Iterable[Row]:
    """Give equal scores the place of the first of them: 1, 2, 2, 4."""
    rank, before = 0, None
    for position, (player, score) in enumerate(ordered, 1):
        if score != before:
            rank, before = position, score
        yield Row(position, rank, player, score)
