"""When results were completed: just now, or, in a series, around the turn of a window. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

from leaderboard.management.simulation.season import SKEW, Season

JUST_NOW = 5.0
AROUND_THE_TURN = 15.0
TURN, AFTER_THE_TURN = 0.05, 0.5
# A late result must reach its season before the grace time is over, whatever holds it up.
EARLY_ENOUGH = timedelta(seconds=5)


def completion(seasons: Sequence[Season], now: datetime, random: Random) -> datetime:
    """Return when a result was completed that is sent now."""
    over = [season for season in seasons if season.is_past(now)]
    if over and random.random() < TURN:
        cutoff = random.choice(over).cutoff_at
        assert cutoff is not None
        return cutoff - timedelta(seconds=random.random() * AROUND_THE_TURN + 0.001)
    return now - timedelta(seconds=random.random() * JUST_NOW)


def late_completion(
    seasons: Sequence[Season], now: datetime, random: Random
) -> tuple[Season, datetime] | None:
    """Return a season in its grace time, and when a result was completed too late for it."""
    closing = [season for season in seasons if _moves_results(season, now)]
    if not closing:
        return None
    season = random.choice(closing)
    assert season.cutoff_at is not None
    return season, season.cutoff_at + random.random() * (now - season.cutoff_at)


def may_be_corrected(season: Season, now: datetime) -> bool:
    """Return whether a correction that is sent now reaches the season before it is final."""
    if season.is_before(now + SKEW):
        return False
    until = season.takes_until()
    return until is None or now < until - timedelta(seconds=season.grace_seconds) - SKEW


def _moves_results(season: Season, now: datetime) -> bool:
    until = season.takes_until()
    if season.late_policy != "next" or season.cutoff_at is None or until is None:
        return False
    return season.cutoff_at + SKEW < now < until - EARLY_ENOUGH
