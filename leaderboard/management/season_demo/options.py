"""What a demo is asked to do."""

from dataclasses import dataclass
from pathlib import Path

FEWEST_PLAYERS = 100


@dataclass(frozen=True, slots=True)
class Options:
    """`looked_at` players are read one by one; exports go into `folder`."""

    base_url: str
    token: str
    season: str
    folder: Path
    players: int = 100_000
    looked_at: int = 2000
    grace: int = 5
    seed: int = 0
