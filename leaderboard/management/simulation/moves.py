"""What is known of a change of region whose version only the changes feed tells. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

# How long after a reply that showed a version all replies know that version.
SETTLED = 1.0


@dataclass(slots=True)
class Move:
    """
    A move of a player to another region's board of one season.

    It was sent when `newest` was the newest version seen. `promised` is a version that must
    have it, once one was seen that was sealed after the answer; `visible` is the first that has
    it, by the feed. One that is `open_ended` met the end of the season: it may have had no effect.
    """

    player_id: str
    score: int | None
    score_version: int | None
    old_region: str | None
    region: str | None
    newest: int
    answered: float
    open_ended: bool = False
    number: int = 0
    visible: int | None = None
    promised: int | None = None
    promised_at: float = 0.0

    def in_words(self) -> str:
        """Return who moved from where to where."""
        return f"the move of {self.player_id} from {self.old_region} to {self.region}"


class Promises:
    """The moves that no version was seen to promise yet."""

    def __init__(self) -> None:
        """Begin with none."""
        self._waiting: list[Move] = []

    def wait_for(self, move: Move) -> None:
        """Wait for a version that must have this move."""
        self._waiting.append(move)

    def sealed(self, version: int, sealed_after: float, arrived: float) -> None:
        """Note a version that includes everything answered before `sealed_after`."""
        kept = []
        for move in self._waiting:
            if move.answered < sealed_after:
                move.promised, move.promised_at = version, arrived
            else:
                kept.append(move)
        self._waiting = kept


def overdue(moves: Iterator[Move], read_at: float) -> list[Move]:
    """Return the moves that should have been in a feed that was read to its end at `read_at`."""
    return [
        move
        for move in moves
        if move.promised is not None and not move.open_ended
        if move.promised_at + SETTLED < read_at
    ]
