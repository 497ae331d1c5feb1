"""Who stands on each board of a season."""

from leaderboard import queries
from leaderboard.queries import published

MOST_SHOWN = 2_500


def boards_of(slug: str, version: int | None = None) -> dict[str | None, dict[str, int]]:
    """Return who is on each board at a version, with which score; each says how many it has."""
    season = published(slug)
    found: dict[str | None, dict[str, int]] = {}
    for region in (None, *season.regions):
        number = season.board_of(region)
        page = queries.players_after(
            season, None, version=version or season.current, limit=MOST_SHOWN, board=number
        )
        assert page is not None
        assert page.header.members[number] == len(page.entries)
        found[region] = {entry.player_id: entry.score for entry in page.entries}
    return found
