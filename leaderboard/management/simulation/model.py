"""The boards as they must be at a version: what was accepted up to it, and only that. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from leaderboard.management.simulation.standings import Standings


class Change(NamedTuple):
    """
    One change of what is shown: every version from `version` on has it, none before does.

    A result or a correction gives another score, a move another region: then both scores are
    one. The regions are those of boards that the season has, None for the global one only.
    """

    version: int
    player_id: str
    old: int | None
    new: int | None
    event_id: str
    old_region: str | None = None
    region: str | None = None

    def before(self, region: str | None) -> int | None:
        """Return what the board of a region (None: the global one) showed before."""
        return self.old if region is None or self.old_region == region else None

    def after(self, region: str | None) -> int | None:
        """Return what the board of a region (None: the global one) shows from then on."""
        return self.new if region is None or self.region == region else None

    @property
    def is_move(self) -> bool:
        """Whether the player moved to another region."""
        return self.old_region != self.region


class Board:
    """The global board or that of a region, as the model has it at its version."""

    def __init__(self, model: "Model", region: str | None, scores: Iterable[tuple[str, int]]):
        """Begin with these players and scores."""
        self._model, self.region = model, region
        self.standings = Standings(scores)
        self._last: dict[str, Change] = {}

    def take(self, change: Change) -> None:
        """Take over what a change did to this board."""
        if change.before(self.region) != change.after(self.region):
            self.standings.put(change.player_id, change.after(self.region))
            self._last[change.player_id] = change

    def score(self, player: str) -> int | None:
        """Return a player's score at this version, None if not on the board."""
        return self.standings.scores.get(player)

    def last_change(self, player: str) -> Change | None:
        """Return the newest change of a player on this board that this version includes."""
        return self._last.get(player)

    def later_changes(self, player: str) -> Iterator[Change]:
        """Return the accepted changes of a player here that are not yet in this version."""
        for change in self._model.later_changes(player):
            if change.before(self.region) != change.after(self.region):
                yield change

    def elsewhere(self, player: str) -> str | None:
        """Return the region whose board the player is on, if that is another one."""
        found = self._model.region_of(player)
        return None if self.region is None or found == self.region else found

    def changed_players(self) -> list[str]:
        """Return everybody who was changed here so far."""
        return list(self._last)


class Model:
    """The boards of a season, which move forward from version to version, never back."""

    def __init__(
        self,
        version: int,
        scores: Iterable[tuple[str, int]] = (),
        regions: Mapping[str, Iterable[tuple[str, int]]] | None = None,
    ) -> None:
        """Begin with the boards as they were read at `version`: the global one and regions'."""
        self.version = version
        read = {region: list(rows) for region, rows in (regions or {}).items()}
        self.boards: dict[str | None, Board] = {None: Board(self, None, scores)}
        self.boards |= {region: Board(self, region, rows) for region, rows in read.items()}
        self._regions = {name: region for region, rows in read.items() for name, _ in rows}
        self._to_come: defaultdict[int, list[tuple[int, Change]]] = defaultdict(list)
        self._versions: list[int] = []
        self._unplaced: dict[int, Change] = {}
        self._number = 0

    def board(self, region: str | None = None) -> Board:
        """Return the board of a region, or the global one."""
        return self.boards[region]

    @property
    def standings(self) -> Standings:
        """The standings of the global board."""
        return self.boards[None].standings

    def region_of(self, player: str) -> str | None:
        """Return the region on whose board a player is, None for none."""
        return self._regions.get(player)

    def record(self, change: Change) -> None:
        """Note an accepted change; those of one player come in order of application."""
        self._number += 1
        self._put(self._number, change)

    def announce(self, change: Change) -> int:
        """Note an accepted change whose version is not known yet; return its number."""
        self._number += 1
        self._unplaced[self._number] = change
        return self._number

    def place(self, number: int, version: int) -> None:
        """Give a change that was announced its version, at its place among the others."""
        self._put(number, self._unplaced.pop(number)._replace(version=version))

    def withdraw(self, number: int) -> None:
        """Forget a change that was announced and never came."""
        self._unplaced.pop(number, None)

    def advance(self, version: int) -> None:
        """
        Move on to `version`, with every change that it includes, in order of application.

        A receipt names the epoch of a change, the feed the first version that has it, which may
        be higher: of two changes of one player the numbers need not tell which was the first.
        """
        included: list[tuple[int, Change]] = []
        while self._versions and self._versions[0] <= version:
            included += self._to_come.pop(heappop(self._versions))
        for _, change in sorted(included):
            self._apply(change)
        self.version = max(self.version, version)

    def later_changes(self, player: str) -> Iterator[Change]:
        """Return the accepted changes of a player that are not yet in this version."""
        for version in sorted(self._versions):
            yield from (one for _, one in self._to_come[version] if one.player_id == player)
        yield from (one for one in self._unplaced.values() if one.player_id == player)

    def _put(self, number: int, change: Change) -> None:
        if change.version not in self._to_come:
            heappush(self._versions, change.version)
        self._to_come[change.version].append((number, change))

    def _apply(self, change: Change) -> None:
        for region in {None, change.old_region, change.region}:
            self.boards[region].take(change)
        if change.new is None or change.region is None:
            self._regions.pop(change.player_id, None)
        else:
            self._regions[change.player_id] = change.region
