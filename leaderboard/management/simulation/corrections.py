"""Corrections as a support desk makes them: up, down, removals, returns and voids."""

from random import Random
from typing import Any

from leaderboard.management.simulation.folding import Act, Kind, Player
from leaderboard.management.simulation.requests import Sending
from leaderboard.management.simulation.scoring import Scoring

Json = dict[str, Any]
VOID, REMOVE, RETURN = 0.4, 0.2, 0.5


class Corrections:
    """Makes corrections of players whose state is known."""

    def __init__(self, scoring: Scoring, random: Random) -> None:
        """Correct to scores of this scoring."""
        self._scoring, self._random = scoring, random

    def about(self, name: str, player: Player, event_id: str, version: int) -> Sending:
        """Return a correction, a removal or a void that concerns this player."""
        if player.standing.removed and self._random.random() < RETURN:
            return self._absolute(name, player, event_id, version)
        if player.recent and self._random.random() < VOID:
            return self._void(name, player, event_id, version)
        if self._random.random() < REMOVE:
            act = Act(event_id, name, Kind.REMOVAL, version)
            return Sending(act, _body(act, corrected_score=None))
        return self._absolute(name, player, event_id, version)

    def _absolute(self, name: str, player: Player, event_id: str, version: int) -> Sending:
        score = self._scoring.corrected(player.standing.best)
        act = Act(event_id, name, Kind.CORRECTION, version, score)
        body = _body(act, corrected_score=score)
        if player.recent and self._random.random() < 0.5:
            body["corrects_event_id"] = player.recent[-1].event_id
        return Sending(act, body)

    def _void(self, name: str, player: Player, event_id: str, version: int) -> Sending:
        target = self._random.choice(player.recent).event_id
        act = Act(event_id, name, Kind.VOID, version, target=target)
        return Sending(act, _body(act, void_event_id=target))


def _body(act: Act, **content: Any) -> Json:
    return {
        "event_id": act.event_id,
        "player_id": act.player_id,
        **content,
        "score_version": act.version,
        "reason": "simulated",
        "evidence": f"simulation, {act.kind.value}",
        "approved_by": "simulate",
    }
