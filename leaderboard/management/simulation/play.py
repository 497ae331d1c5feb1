"""What one group of writers and readers plays: a season, or the seasons of a series."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.routes import SeasonRoute, SeriesRoute
from leaderboard.management.simulation.season import Season
from leaderboard.management.simulation.stage import Roster

Players = Sequence[tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class Play:
    """
    A season or a series with those who take part in it.

    `players` have the scores that they were found with; `newcomers` are those whom nobody but
    this run knows. Ids of events begin with `own`.
    """

    name: str
    own: str
    route: SeasonRoute | SeriesRoute
    roster: Roster
    players: Players
    newcomers: Sequence[str]
    regions: Sequence[str] = ()
    friendships: Friendships = field(default_factory=Friendships)

    @property
    def names(self) -> list[str]:
        """Everybody who takes part."""
        return [name for name, _ in self.players]

    @property
    def seasons(self) -> list[Season]:
        """The seasons that are played now."""
        return [stage.season for stage in self.roster.stages]
