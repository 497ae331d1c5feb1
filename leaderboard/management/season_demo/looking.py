"""Looks at one version from all sides, and compares with the model."""

from collections.abc import Mapping, Sequence

from leaderboard.management.season_demo.client import Answer, in_path
from leaderboard.management.season_demo.reading import (
    TOP,
    Sight,
    check_lookup,
    check_neighbours,
    check_page,
    check_rank,
    check_top,
)
from leaderboard.management.season_demo.stage import Stage

RADIUS = 10
PAGE = 50
GROUP = 200
FEW = 100
NOT_RANKED = (404, "player_not_ranked")


class Look:
    """Reads a pinned version; `by` names it in the address, its number unless given."""

    def __init__(self, stage: Stage, sight: Sight, by: str | None = None) -> None:
        """Look at a version that must have the board of `sight`."""
        self._stage, self.sight = stage, sight
        self.by = by or str(sight.version)

    def everywhere(self, players: Sequence[str]) -> None:
        """Look at the top, and at each of the players in every way."""
        self.top()
        for player in players:
            self.player(player)
        for at in range(0, len(players), GROUP):
            self.group(players[at : at + GROUP])

    def top(self) -> Answer:
        """Look at the top 100."""
        answer = self._ok("/leaderboard/top", limit=TOP)
        check_top(self._stage.checks, self.sight, answer.body)
        return answer

    def player(self, player: str) -> None:
        """Look at a player's rank, neighbours and page; one who is off the board is nowhere."""
        if player not in self.sight.board:
            self.absent(player)
            return
        checks, sight = self._stage.checks, self.sight
        check_rank(checks, sight, player, self._ok(_of(player, "rank")).body)
        around = self._ok(_of(player, "neighbors"), radius=RADIUS)
        check_neighbours(checks, sight, player, around.body, RADIUS)
        page = self._ok("/leaderboard/page", around_player=player, limit=PAGE)
        check_page(checks, sight, player, page.body, PAGE)

    def absent(self, player: str) -> None:
        """Check that a player is found nowhere."""
        for path, query in (
            (_of(player, "rank"), {}),
            (_of(player, "neighbors"), {"radius": RADIUS}),
            ("/leaderboard/page", {"around_player": player, "limit": PAGE}),
        ):
            answer = self._ask(path, query)
            self._stage.checks.equal(f"{player} in {path}", NOT_RANKED, answer.code)

    def group(self, players: Sequence[str]) -> None:
        """Look several players up at once."""
        path = f"{self._stage.public('/leaderboard/lookup')}?version={self.by}"
        answer = self._stage.client.post(path, {"player_ids": list(players)})
        if self._stage.checks.equal("status of a lookup", 200, answer.status):
            check_lookup(self._stage.checks, self.sight, players, answer.body)

    def _ok(self, path: str, **query: object) -> Answer:
        answer = self._ask(path, query)
        self._stage.checks.equal(f"status of {path}", 200, answer.status)
        return answer

    def _ask(self, path: str, query: Mapping[str, object] | None = None) -> Answer:
        asked = {"version": self.by, **(query or {})}
        return self._stage.client.get(self._stage.public(path), asked)


def look_everywhere(look: Look, stage: Stage, players: Sequence[str]) -> None:
    """Look at the top and at all these players, and note at which rate."""
    with stage.checks.timed("reads", 3 * len(players) + 1 + -(-len(players) // GROUP)):
        look.everywhere(players)


def some_players(stage: Stage, number: int) -> list[str]:
    """Return so many players, at random."""
    names = stage.traffic.names
    return stage.random.sample(names, min(number, len(names)))


def _of(player: str, what: str) -> str:
    return f"/players/{in_path(player)}/{what}"
