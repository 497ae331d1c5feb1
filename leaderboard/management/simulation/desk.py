"""What one writer works with."""

from dataclasses import dataclass

from leaderboard.management.simulation.delivery import Delivery
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.play import Play
from leaderboard.management.simulation.profiles import Profiles
from leaderboard.management.simulation.tally import Tally
from leaderboard.management.simulation.traffic import Traffic


@dataclass(frozen=True, slots=True)
class Desk:
    """
    The desk of the writer of this number: its traffic about its own share of the players.

    `profiles` are theirs as stored; whatever is sent goes by one delivery, one after the other.
    """

    number: int
    play: Play
    traffic: Traffic
    profiles: Profiles
    delivery: Delivery
    findings: Findings
    tally: Tally
