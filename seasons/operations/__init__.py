"""What can be done to a season."""

from seasons.operations.close_season import close_season
from seasons.operations.open_season import open_season
from seasons.operations.record_transitions import record_transitions
from seasons.operations.seal_epoch import seal_epoch

__all__ = ["close_season", "open_season", "record_transitions", "seal_epoch"]
