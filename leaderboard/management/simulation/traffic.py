"""What one match service sends next: results, singly and in batches, and all that goes wrong."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from leaderboard.management.simulation.corrections import Corrections
from leaderboard.management.simulation.folding import Act, Kind, Player, brought_in
from leaderboard.management.simulation.receipts import Item
from leaderboard.management.simulation.scoring import Scoring
from leaderboard.management.simulation.season import Season, text_of

Json = dict[str, Any]
REPEATABLE = 200
MOST, OF_ONE_PLAYER = 1000, 40
SINGLE, TWICE, CORRECTING, SAME_PLAYER = 0.3, 0.04, 0.08, 0.1
REPEAT, CLASH, OLD, OUT_OF_TIME = 0.04, 0.01, 0.05, 0.005


@dataclass(frozen=True, slots=True)
class Request:
    """One request: a single event or a batch, sent once or on two connections at once."""

    route: str
    items: tuple[Item, ...]
    batch: bool = False
    twice: bool = False

    def body(self) -> Json:
        """Return what is sent."""
        if self.batch:
            return {"events": [item.body for item in self.items]}
        return self.items[0].body


class Traffic:
    """
    The requests about a share of the players, one after the other.

    `players` is the state as of the last answered request; nobody else writes about them.
    """

    def __init__(
        self,
        season: Season,
        players: Sequence[tuple[str, int | None]],
        name: str,
        batch: int,
        random: Random,
    ) -> None:
        """Send about these players with event ids that begin with `name`."""
        self.players = {
            player: Player() if score is None else brought_in(score) for player, score in players
        }
        self._season, self._random, self._batch = season, random, batch
        self._names = list(self.players)
        self._given: dict[str, int] = {}
        self._name, self._number = name, 0
        self._first_version = int(datetime.now(UTC).timestamp() * 1000)
        self._scoring = Scoring(season, random)
        self._corrections = Corrections(self._scoring, random)
        self._done: deque[tuple[Item, Json]] = deque(maxlen=REPEATABLE)
        self._corrected: deque[tuple[Item, Json]] = deque(maxlen=REPEATABLE)

    def next_request(self, *, behind: bool) -> Request:
        """Return what is sent next: no single results from a service that is behind."""
        twice = self._random.random() < TWICE
        if self._random.random() < CORRECTING:
            item = self._correction()
            if item is not None:
                return Request("corrections", (item,), twice=twice)
        if self._batch < 2 or (not behind and self._random.random() < SINGLE):
            return Request("scores:apply", (self._result(self._pick()),), twice=twice)
        return Request("scores:apply", self._many(), batch=True, twice=twice)

    def settle(self, request: Request, players: dict[str, Player], receipts: list[Json]) -> None:
        """Take over what an answered request did."""
        self.players.update(players)
        done = self._corrected if request.route == "corrections" else self._done
        for item, receipt in zip(request.items, receipts, strict=True):
            if item.first is None and not item.clash:
                done.append((item, receipt))

    def _many(self) -> tuple[Item, ...]:
        size = self._random.randint(self._batch // 2 or 1, self._batch)
        items: list[Item] = []
        counts: Counter[str] = Counter()
        for _ in range(size):
            name = self._pick()
            if counts[name] < (1 if self.players[name].contact else OF_ONE_PLAYER):
                more = self._several(name) if self._chance(SAME_PLAYER) else [self._result(name)]
                counts.update(item.act.player_id for item in more)
                items += more
        self._random.shuffle(items)
        return tuple(items[:MOST])

    def _several(self, name: str) -> list[Item]:
        """Return events of one player: versions in any order, some equal, now and then a copy."""
        if self.players[name].contact:
            return [self._result(name)]
        items = [
            self._item(name, self._next_version(name)) for _ in range(self._random.randint(2, 5))
        ]
        if self._chance(0.1):
            items.append(self._item(name, items[0].act.version))
        return [*items, items[0]] if self._chance(0.2) else items

    def _result(self, name: str) -> Item:
        player = self.players[name]
        if player.contact:
            return self._item(name, self._next_version(name))
        if self._done and self._chance(REPEAT):
            item, receipt = self._random.choice(self._done)
            return replace(item, first=receipt)
        if self._done and self._chance(CLASH):
            return self._clash(self._random.choice(self._done)[0])
        if player.version is not None and self._chance(OLD):
            return self._item(
                name, self._random.randint(max(1, player.version - 5), player.version)
            )
        if self._chance(OUT_OF_TIME):
            return self._out_of_time(name)
        return self._item(name, self._next_version(name))

    def _correction(self) -> Item | None:
        if self._corrected and self._chance(REPEAT):
            item, receipt = self._random.choice(self._corrected)
            return replace(item, first=receipt)
        if not self._done:
            return None
        name = self._random.choice(self._done)[0].act.player_id
        player = self.players[name]
        if player.version is None:
            return None
        version = self._next_version(name)
        if self._chance(OLD):
            version = player.version
        return self._corrections.about(name, player, self._event_id(), version)

    def _item(self, name: str, version: int, completed_at: datetime | None = None) -> Item:
        now = datetime.now(UTC)
        completed_at = completed_at or now - timedelta(seconds=self._random.random() * 5)
        score = self._scoring.result(self.players[name].standing.best)
        ruled_out = self._season.ruled_out(completed_at)
        act = Act(self._event_id(), name, Kind.RESULT, version, score, ruled_out=ruled_out)
        body = {
            "event_id": act.event_id,
            "match_id": f"match-{act.event_id}",
            "player_id": name,
            "best_score": score,
            "score_version": version,
            "completed_at": text_of(completed_at),
        }
        return Item(act, body)

    def _out_of_time(self, name: str) -> Item:
        when = self._season.late(datetime.now(UTC)) or self._season.early()
        return self._item(name, self._next_version(name), when)

    def _clash(self, item: Item) -> Item:
        """Return an event that bears the id of another but says something else."""
        assert item.act.score is not None
        score = self._scoring.other(item.act.score)
        return Item(item.act, {**item.body, "best_score": score}, clash=True)

    def _next_version(self, name: str) -> int:
        """Return a version above all that were given for this player."""
        player = self.players[name]
        if player.contact:
            self._given[name] = self._first_version
        else:
            last = max(player.version or 0, self._given.get(name, 0))
            self._given[name] = last + self._random.randint(1, 3)
        return self._given[name]

    def _pick(self) -> str:
        return self._names[int(len(self._names) * self._random.random() ** 2)]

    def _event_id(self) -> str:
        self._number += 1
        return f"{self._name}-{self._number}"

    def _chance(self, share: float) -> bool:
        return self._random.random() < share
