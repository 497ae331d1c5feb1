"""What one match service sends next: results, singly and in batches, and all that goes wrong."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from leaderboard.management.simulation.corrections import Corrections
from leaderboard.management.simulation.folding import Act, Kind, Player
from leaderboard.management.simulation.requests import Request, Route, Sending, Told
from leaderboard.management.simulation.schedule import (
    completion,
    late_completion,
    may_be_corrected,
)
from leaderboard.management.simulation.scoring import Scoring
from leaderboard.management.simulation.season import Season, text_of

Json = dict[str, Any]
REPEATABLE = 200
MOST, OF_ONE_PLAYER = 1000, 40
SINGLE, TWICE, CORRECTING, SAME_PLAYER = 0.3, 0.04, 0.08, 0.1
REPEAT, CLASH, OLD, OUT_OF_TIME, LATE = 0.04, 0.01, 0.05, 0.005, 0.1


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose events they are: about which players, with ids that begin how, in what batches."""

    players: Sequence[str]
    name: str
    batch: int


class Traffic:
    """
    The requests about a share of the players, one after the other.

    `states` are the players in each season as of the last answered request; nobody else writes
    about them.
    """

    def __init__(
        self,
        sender: Sender,
        scoring: Scoring,
        states: Mapping[str, dict[str, Player]],
        random: Random,
    ) -> None:
        """Send about the players of this sender, who stand like this now."""
        self.states = dict(states)
        self.names = list(sender.players)
        self._sender, self._scoring, self._random = sender, scoring, random
        self._seasons: Sequence[Season] = ()
        self._given: dict[str, int] = {}
        self._number = 0
        self._first_version = int(datetime.now(UTC).timestamp() * 1000)
        self._corrections = Corrections(scoring, random)
        self._done: deque[tuple[Sending, Told]] = deque(maxlen=REPEATABLE)
        self._corrected: deque[tuple[Sending, Season, Told]] = deque(maxlen=REPEATABLE)

    def next_request(self, seasons: Sequence[Season], *, behind: bool) -> Request:
        """Return what is sent next: no single results from a service that is behind."""
        self._seasons = seasons
        self._forget_others()
        twice = self._chance(TWICE)
        if self._chance(CORRECTING) and (request := self._correction(twice=twice)):
            return request
        if self._chance(LATE) and (request := self._late()):
            return request
        if self._sender.batch < 2 or (not behind and self._chance(SINGLE)):
            return Request(Route.RESULTS, (self._result(self.pick()),), twice=twice)
        return Request(Route.RESULTS, self._many(), batch=True, twice=twice)

    def player(self, season_id: str, name: str) -> Player:
        """Return a player as a season has it."""
        return self.states.get(season_id, {}).get(name) or Player()

    def settle(self, season_id: str, players: Mapping[str, Player]) -> None:
        """Take over what an answered request did in a season."""
        self.states.setdefault(season_id, {}).update(players)

    def remember(self, request: Request, told: Sequence[Told]) -> None:
        """Keep what a request was told, to repeat some of it later."""
        for sending, receipts in zip(request.items, told, strict=True):
            if sending.first is not None or sending.clash:
                continue
            if request.route is Route.CORRECTION:
                assert request.season is not None
                self._corrected.append((sending, request.season, receipts))
            else:
                self._done.append((sending, receipts))

    def pick(self) -> str:
        """Return one of the players, the first ones more often."""
        return self.names[int(len(self.names) * self._random.random() ** 2)]

    def _forget_others(self) -> None:
        known = {season.season_id for season in self._seasons}
        for season_id in self.states.keys() - known:
            del self.states[season_id]

    def _many(self) -> tuple[Sending, ...]:
        size = self._random.randint(self._sender.batch // 2 or 1, self._sender.batch)
        items: list[Sending] = []
        counts: Counter[str] = Counter()
        for _ in range(size):
            name = self.pick()
            if counts[name] < (1 if self._contact(name) else OF_ONE_PLAYER):
                more = self._several(name) if self._chance(SAME_PLAYER) else [self._result(name)]
                counts.update(item.act.player_id for item in more)
                items += more
        self._random.shuffle(items)
        return tuple(items[:MOST])

    def _several(self, name: str) -> list[Sending]:
        """Return events of one player: versions in any order, some equal, now and then a copy."""
        if self._contact(name):
            return [self._result(name)]
        items = [
            self._item(name, self._next_version(name)) for _ in range(self._random.randint(2, 5))
        ]
        if self._chance(0.1):
            items.append(self._item(name, items[0].act.version))
        return [*items, items[0]] if self._chance(0.2) else items

    def _result(self, name: str) -> Sending:
        version = self._version(name)
        if self._contact(name):
            return self._item(name, self._next_version(name))
        if self._done and self._chance(REPEAT):
            sending, told = self._random.choice(self._done)
            return replace(sending, first=told)
        if self._done and self._chance(CLASH):
            return self._clash(*self._random.choice(self._done))
        if version and self._chance(OLD):
            return self._item(name, self._random.randint(max(1, version - 5), version))
        if self._chance(OUT_OF_TIME):
            return self._out_of_time(name)
        return self._item(name, self._next_version(name))

    def _correction(self, *, twice: bool) -> Request | None:
        if self._corrected and self._chance(REPEAT):
            sending, season, told = self._random.choice(self._corrected)
            if season in self._seasons:
                again = replace(sending, first=told)
                return Request(Route.CORRECTION, (again,), twice=twice, season=season)
        now = datetime.now(UTC)
        seasons = [season for season in self._seasons if may_be_corrected(season, now)]
        if not self._done or not seasons:
            return None
        season = self._random.choice(seasons)
        name = self._random.choice(self._done)[0].act.player_id
        player = self.player(season.season_id, name)
        if player.version is None:
            return None
        version = player.version if self._chance(OLD) else self._next_version(name)
        sending = self._corrections.about(name, player, self._event_id(), version)
        return Request(Route.CORRECTION, (sending,), twice=twice, season=season)

    def _late(self) -> Request | None:
        """Return a result that its season gets too late, and moves to the next one."""
        found = late_completion(self._seasons, datetime.now(UTC), self._random)
        if found is None:
            return None
        season, completed_at = found
        name = self.pick()
        sending = self._item(name, self._next_version(name), completed_at)
        return Request(Route.LATE, (sending,), season=season)

    def _item(self, name: str, version: int, completed_at: datetime | None = None) -> Sending:
        completed_at = completed_at or completion(self._seasons, datetime.now(UTC), self._random)
        season = self._random.choice(self._seasons)
        score = self._scoring.result(self.player(season.season_id, name).standing.best)
        act = Act(self._event_id(), name, Kind.RESULT, version, score)
        body = {
            "event_id": act.event_id,
            "match_id": f"match-{act.event_id}",
            "player_id": name,
            "best_score": score,
            "score_version": version,
            "completed_at": text_of(completed_at),
        }
        return Sending(act, body, completed_at)

    def _out_of_time(self, name: str) -> Sending:
        now = datetime.now(UTC)
        season = self._random.choice([one for one in self._seasons if not one.is_before(now)])
        when = season.late(now) or season.early()
        return self._item(name, self._next_version(name), when)

    def _clash(self, sending: Sending, told: Told) -> Sending:
        """Return an event that bears the id of another but says something else."""
        assert sending.act.score is not None
        if not any(season.season_id in told for season in self._seasons):
            return replace(sending, first=told)
        score = self._scoring.other(sending.act.score)
        return replace(sending, body={**sending.body, "best_score": score}, clash=True)

    def _contact(self, name: str) -> bool:
        return any(self.player(season.season_id, name).contact for season in self._seasons)

    def _version(self, name: str) -> int:
        """Return the newest version that a season has of this player, 0 if none is known."""
        found = (self.player(season.season_id, name).version for season in self._seasons)
        return max((version for version in found if version is not None), default=0)

    def _next_version(self, name: str) -> int:
        """Return a version above all that were given for this player."""
        if self._contact(name):
            self._given[name] = self._first_version
        else:
            last = max(self._version(name), self._given.get(name, 0))
            self._given[name] = last + self._random.randint(1, 3)
        return self._given[name]

    def _event_id(self) -> str:
        self._number += 1
        return f"{self._sender.name}-{self._number}"

    def _chance(self, share: float) -> bool:
        return self._random.random() < share
