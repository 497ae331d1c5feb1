"""What events brought to be shown with the scores that they gave."""

from collections.abc import Sequence

from config import db
from leaderboard.queries.published import Published
from leaderboard.queries.window import Entry

DISPLAYS = db.statement(__file__, "displays")


def displays(
    season: Published, entries: Sequence[Entry], *, version: int, using: str = "reads"
) -> dict[str, str]:
    """
    Return the display data of entries at a version, as JSON, by player; others have none.

    It is that of the result which gave the score of the entry.
    """
    if not season.has_display or not entries:
        return {}
    rows = db.fetch_all(
        lambda player_id, display: (player_id, display),
        DISPLAYS.literal(namespace=season.ledger_namespace),
        using=using,
        player_ids=[entry.player_id for entry in entries],
        scores=[entry.score for entry in entries],
        version=version,
    )
    return dict(rows)
