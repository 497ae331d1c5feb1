"""What was stored for a player at which moments: the ground for checking `pending`. Pure."""

from typing import NamedTuple

KEPT_SECONDS = 120.0
BEGINNING = float("-inf")


class Moment(NamedTuple):
    """The state after one request: sent and answered when, and in which version it shows."""

    sent: float
    answered: float
    score: int | None
    score_version: int | None
    changed_at: int


class Timelines:
    """The latest moments of each player."""

    def __init__(self) -> None:
        """Begin with nothing written."""
        self._moments: dict[str, list[Moment]] = {}

    def record(self, player: str, score_before: int | None, moment: Moment) -> None:
        """Note the state after a request; those of one player come in order."""
        moments = self._moments.setdefault(
            player, [Moment(BEGINNING, BEGINNING, score_before, None, 0)]
        )
        moments.append(moment)
        while len(moments) > 1 and moments[1].answered < moment.sent - KEPT_SECONDS:
            del moments[0]

    def changed_at(self, player: str) -> int:
        """Return the version since which the player's newest shown score is shown."""
        moments = self._moments.get(player)
        return moments[-1].changed_at if moments else 0

    def candidates(self, player: str, sent: float, arrived: float) -> list[Moment]:
        """Return the states that a read in this time may have met; none if nobody wrote."""
        moments = self._moments.get(player, [])
        done = [at for at, moment in enumerate(moments) if moment.answered <= sent]
        first = done[-1] if done else 0
        return [moment for moment in moments[first:] if moment.sent <= arrived]


Pending = tuple[int | None, int | None, int]


def pending_at(version: int, moment: Moment) -> Pending | None:
    """Return (score, score_version, visible_in_version) that is pending, None if nothing is."""
    if moment.changed_at <= version:
        return None
    return (moment.score, moment.score_version, moment.changed_at)
