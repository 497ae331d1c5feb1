"""Whether a correction fits its season and its player."""

from collections.abc import Iterator

from config.errors import Fault
from scores.queries.event_to_void import event_to_void
from seasons.queries import SeasonForWrite


def score_faults(season: SeasonForWrite, score: int | None) -> Iterator[Fault]:
    """Say whether a corrected score lies outside the season's range."""
    if score is not None and not season.score_min <= score <= season.score_max:
        detail = f"The season's scores are {season.score_min} to {season.score_max}."
        yield Fault("/corrected_score", "out_of_range", detail)


def event_faults(
    season: SeasonForWrite, player_id: str, member: str, event_id: str | None
) -> Iterator[Fault]:
    """Say whether an event that is named is no result or correction of the player's."""
    if event_id is None:
        return
    target = event_to_void(season.ledger_namespace, event_id)
    if target is None or target.player_id != player_id:
        detail = "The player has no result or correction with this id in the season."
        yield Fault(f"/{member}", "unknown_event", detail)
