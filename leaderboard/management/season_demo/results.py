"""Results, their checksum and their files, as the model has them. Pure."""

import hashlib
from collections.abc import Iterable, Sequence

from leaderboard.management.season_demo.model import Board, Move, Row

RESULTS = "position,rank,player_id,score"
DIFFERENCES = "player_id,old_rank,old_score,new_rank,new_score,settlements"


def checksum(board: Board) -> str:
    """Return the checksum over the lines of a whole board."""
    lines = (f"{row.position},{row.rank},{row.player_id},{row.score}\n" for row in board.rows)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def results_file(rows: Iterable[Row]) -> bytes:
    """Return the file that the rows are exported to, as CSV."""
    return _file(RESULTS, rows)


def differences_file(moves: Iterable[Move], settlements: Sequence[str]) -> bytes:
    """Return the file of who moved, with the settlements that had paid those of the old board."""
    paid = " ".join(settlements)
    return _file(
        DIFFERENCES,
        ((*move, "" if move.old_rank is None else paid) for move in moves),
    )


def checksum_file(content: bytes, name: str) -> bytes:
    """Return the file that lies beside another, as sha256sum writes it."""
    return f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()


def _file(head: str, rows: Iterable[Sequence[object]]) -> bytes:
    lines = [head, *(",".join(map(_cell, row)) for row in rows)]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f'"{text}"' if "," in text else text
