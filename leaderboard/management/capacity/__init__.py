"""From measured costs to machines: pure arithmetic, each number with its assumption."""

from leaderboard.management.capacity.costs import Costs, Missing
from leaderboard.management.capacity.plan import plan_for
from leaderboard.management.capacity.rows import Row
from leaderboard.management.capacity.verdicts import Verdict, verdicts_on
from leaderboard.management.capacity.wanted import Machine, Wanted

__all__ = ["Costs", "Machine", "Missing", "Row", "Verdict", "Wanted", "plan_for", "verdicts_on"]
