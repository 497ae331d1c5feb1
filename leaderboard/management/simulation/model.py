"""The board as it must be at a version: receipts applied up to it, and only those. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from leaderboard.management.simulation.standings import Standings


class Change(NamedTuple):
    """One change of a shown score: every version from `version` on has it, none before does."""

    version: int
    player_id: str
    old: int | None
    new: int | None
    event_id: str


class Model:
    """A board that moves forward from version to version, never back."""

    def __init__(self, version: int, scores: Iterable[tuple[str, int]] = ()) -> None:
        """Begin with the board as it was read at `version`."""
        self.version = version
        self.standings = Standings(scores)
        self._last: dict[str, Change] = {}
        self._to_come: defaultdict[int, list[Change]] = defaultdict(list)
        self._versions: list[int] = []

    def record(self, change: Change) -> None:
        """Note an accepted change; those of one player come in order of application."""
        if change.version not in self._to_come:
            heappush(self._versions, change.version)
        self._to_come[change.version].append(change)

    def advance(self, version: int) -> None:
        """Move on to `version`, with every change that it includes."""
        while self._versions and self._versions[0] <= version:
            for change in self._to_come.pop(heappop(self._versions)):
                self.standings.put(change.player_id, change.new)
                self._last[change.player_id] = change
        self.version = max(self.version, version)

    def score(self, player: str) -> int | None:
        """Return a player's score at this version, None if not on the board."""
        return self.standings.scores.get(player)

    def last_change(self, player: str) -> Change | None:
        """Return the newest change of a player that this version includes."""
        return self._last.get(player)

    def later_changes(self, player: str) -> Iterator[Change]:
        """Return the accepted changes of a player that are not yet in this version."""
        for version in sorted(self._versions):
            yield from (one for one in self._to_come[version] if one.player_id == player)

    def changed_players(self) -> list[str]:
        """Return everybody whose score an accepted event has changed so far."""
        return list(self._last)
