"""What all parts of a run use: connections, findings, figures, chance."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from leaderboard.management.simulation.connection import Connection
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.options import Options
from leaderboard.management.simulation.tally import Tally

Say = Callable[[str], None]


@dataclass(slots=True)
class Kit:
    """One for each run; `run_id` is in every name that the run makes."""

    options: Options
    say: Say
    run_id: str
    findings: Findings = field(default_factory=Findings)
    tally: Tally = field(default_factory=Tally)
    connections: list[Connection] = field(default_factory=list)
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        """Draw everything from one seed."""
        self.random = Random(self.options.seed)  # noqa: S311 - repeatable on purpose

    @property
    def ears(self) -> tuple[Findings, Tally]:
        """What is told of mismatches, and of all that happens."""
        return self.findings, self.tally

    def connect(self, *, as_service: bool = True) -> Connection:
        """Open a connection, which `close` closes at the latest."""
        token = self.options.token if as_service else None
        connection = Connection(self.options.base_url, token)
        self.connections.append(connection)
        return connection

    def chance(self) -> Random:
        """Return a source of chance for one thread."""
        return Random(self.random.getrandbits(64))  # noqa: S311 - repeatable on purpose

    def close(self) -> None:
        """Close every connection."""
        for connection in self.connections:
            connection.close()
