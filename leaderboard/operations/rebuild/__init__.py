"""Make a season's bests and boards anew, beside those in use, and put them in their place."""

from leaderboard.operations.rebuild.drop import abandon_rebuild, drop_replaced
from leaderboard.operations.rebuild.refusals import CannotRebuild, Differs
from leaderboard.operations.rebuild.season import rebuild_season

__all__ = ["CannotRebuild", "Differs", "abandon_rebuild", "drop_replaced", "rebuild_season"]
