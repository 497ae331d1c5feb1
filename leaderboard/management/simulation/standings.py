"""The players of one board in display order, in blocks. Pure."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain, islice

BLOCK = 800

Key = tuple[int, str]


def key_of(score: int, player_id: str) -> Key:
    """Return the sort key of display order: score falling, then player id by bytes."""
    return (-score, player_id)


class Standings:
    """Scores by player, and players in display order, with places found by bisection."""

    def __init__(self, scores: Iterable[tuple[str, int]] = ()) -> None:
        """Begin with these players and scores."""
        self.scores = dict(scores)
        keys = sorted(key_of(score, player) for player, score in self.scores.items())
        self._blocks = [keys[at : at + BLOCK] for at in range(0, len(keys), BLOCK)]
        self._lasts = [block[-1] for block in self._blocks]
        self._starts: list[int] | None = None

    def __len__(self) -> int:
        """Return how many players there are."""
        return len(self.scores)

    def put(self, player: str, score: int | None) -> None:
        """Give a player a score, or take the player off with None."""
        old = self.scores.pop(player, None)
        if old is not None:
            self._remove(key_of(old, player))
        if score is not None:
            self.scores[player] = score
            self._insert(key_of(score, player))
        self._starts = None

    def place(self, key: Key) -> int:
        """Return how many players come before this key in display order."""
        at = bisect_left(self._lasts, key)
        if at == len(self._blocks):
            return len(self)
        return self._block_starts()[at] + bisect_left(self._blocks[at], key)

    def place_of(self, player: str) -> int:
        """Return how many players come before this one, who must be on the board."""
        return self.place(key_of(self.scores[player], player))

    def rank(self, score: int) -> int:
        """Return 1 + the number of players with a higher score."""
        return 1 + self.place((-score, ""))

    def rows(self, start: int, stop: int) -> list[tuple[int, str, int]]:
        """Return (rank, player, score) of the places `start` to `stop` (exclusive)."""
        found: list[tuple[int, str, int]] = []
        rank: int = 0
        last: int | None = None
        for place, (minus, player) in enumerate(self._slice(start, stop), start + 1):
            if minus != last:
                rank, last = (place if found else self.rank(-minus)), minus
            found.append((rank, player, -minus))
        return found

    def _slice(self, start: int, stop: int) -> Iterator[Key]:
        starts = self._block_starts()
        at = bisect_right(starts, start) - 1
        begin = start - starts[at]
        keys = chain.from_iterable(islice(self._blocks, at, None))
        return islice(keys, begin, begin + max(0, stop - start))

    def _block_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = list(accumulate(map(len, self._blocks[:-1]), initial=0))
        return self._starts

    def _insert(self, key: Key) -> None:
        at = min(bisect_left(self._lasts, key), len(self._blocks) - 1)
        if at < 0:
            self._blocks, self._lasts = [[key]], [key]
            return
        block = self._blocks[at]
        insort(block, key)
        self._lasts[at] = block[-1]
        if len(block) > 2 * BLOCK:
            self._blocks[at : at + 1] = [block[:BLOCK], block[BLOCK:]]
            self._lasts[at : at + 1] = [block[BLOCK - 1], block[-1]]

    def _remove(self, key: Key) -> None:
        at = bisect_left(self._lasts, key)
        block = self._blocks[at]
        del block[bisect_left(block, key)]
        if block:
            self._lasts[at] = block[-1]
        else:
            del self._blocks[at], self._lasts[at]
