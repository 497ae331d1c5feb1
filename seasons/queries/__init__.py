"""Questions about seasons."""

from seasons.queries.season_for_write import SeasonForWrite, season_for_write
from seasons.queries.season_id import season_id_of

__all__ = ["SeasonForWrite", "season_for_write", "season_id_of"]
