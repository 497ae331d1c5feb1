"""Questions about seasons."""

from seasons.queries.season_for_write import SeasonForWrite, season_for_write
from seasons.queries.season_id import ledger_namespace_of, season_id_of, slug_of

__all__ = ["SeasonForWrite", "ledger_namespace_of", "season_for_write", "season_id_of", "slug_of"]
