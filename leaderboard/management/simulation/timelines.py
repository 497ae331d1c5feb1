"""What was stored for a player at which moments: the ground for checking `pending`. Pure."""

from typing import NamedTuple

from leaderboard.management.simulation.moves import Move

KEPT_SECONDS = 120.0
BEGINNING = float("-inf")


class Moment(NamedTuple):
    """
    The state after one request: sent and answered when, and in which version it shows.

    After a `move` that is the version of which only the changes feed tells.
    """

    sent: float
    answered: float
    score: int | None
    score_version: int | None
    changed_at: int
    region: str | None = None
    move: Move | None = None


class Timelines:
    """The latest moments of each player."""

    def __init__(self) -> None:
        """Begin with nothing written."""
        self._moments: dict[str, list[Moment]] = {}

    def record(self, player: str, score_before: int | None, moment: Moment) -> None:
        """Note the state after a request; those of one player come in order."""
        region = moment.region if moment.move is None else moment.move.old_region
        before = Moment(BEGINNING, BEGINNING, score_before, None, 0, region)
        moments = self._moments.setdefault(player, [before])
        moments.append(moment)
        while len(moments) > 1 and moments[1].answered < moment.sent - KEPT_SECONDS:
            del moments[0]

    def newest(self, player: str) -> Moment | None:
        """Return the state after the newest request about a player."""
        moments = self._moments.get(player)
        return moments[-1] if moments else None

    def candidates(self, player: str, sent: float, arrived: float) -> list[Moment]:
        """Return the states that a read in this time may have met; none if nobody wrote."""
        moments = self._moments.get(player, [])
        done = [at for at, moment in enumerate(moments) if moment.answered <= sent]
        first = done[-1] if done else 0
        return [moment for moment in moments[first:] if moment.sent <= arrived]


class Pending(NamedTuple):
    """A score that is pending, to be visible in a version of these, both ends included."""

    score: int | None
    score_version: int | None
    first: int
    last: int | None

    def fits(self, shown: tuple[int | None, int | None, int]) -> bool:
        """Return whether this is what a reply says is pending."""
        score, score_version, version = shown
        in_time = self.first <= version and (self.last is None or version <= self.last)
        return (score, score_version) == (self.score, self.score_version) and in_time


def pending_at(
    version: int, moment: Moment, region: str | None, *, shown: bool
) -> list[Pending | None]:
    """
    Return what may be pending on a board after this moment, None standing for nothing.

    On the board of a region that is what it will show: of somebody `shown` who has left it, no
    score; of somebody who plays for another region, nothing.
    """
    elsewhere = region is not None and moment.region != region
    if elsewhere and not shown:
        return [None]
    score = None if elsewhere else moment.score
    if moment.move is not None:
        return _of_move(version, moment, moment.move, score)
    if moment.changed_at <= version:
        return [None]
    at = moment.changed_at
    return [Pending(score, moment.score_version, at, at)]


def _of_move(version: int, moment: Moment, move: Move, score: int | None) -> list[Pending | None]:
    """The feed names the first version that has a move, which may stand above its own number."""
    if move.visible is not None and move.visible <= version:
        return [None]
    lowest = max(version, move.newest, moment.changed_at - 1) + 1
    pending = Pending(score, moment.score_version, lowest, move.visible)
    return [pending] if move.visible is not None else [None, pending]
