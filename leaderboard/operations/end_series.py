"""End a series: no window begins any more."""

import contextlib
import logging

from config import db
from config.errors import SeasonRetired, WrongState
from leaderboard.operations.retire_season import retire_season
from seasons.models import Series
from seasons.operations import close_season
from seasons.queries.series import series_of
from seasons.queries.windows import present_windows
from seasons.steps import set_series_ended

NEVER_BEGAN = "Its series ended before it began."

log = logging.getLogger(__name__)


def end_series(slug: str, *, actor: str, reason: str) -> Series:
    """
    End a series: operations in turn. What is open runs out, but for all time, which closes now.

    Seasons that were made ahead and have not begun are retired. Safe to be run again after it
    was killed, or while writers were in the way. Raises SeriesNotFound and Unavailable.
    """
    series = series_of(slug)
    with db.transact:
        set_series_ended(series.id)
    always = set(series.window_rules.filter(kind="all_time").values_list("id", flat=True))
    for season in present_windows(series.id, using="default"):
        # The clock, or somebody, may have begun or ended it at this moment.
        with contextlib.suppress(WrongState, SeasonRetired):
            if season.status == "scheduled":
                retire_season(season.season_id, reason=NEVER_BEGAN)
            elif season.rule_id in always:
                close_season(season.slug, actor=actor, reason=reason)
    log.info("series=%s has ended by=%s reason=%s", slug, actor, reason)
    series.refresh_from_db()
    return series
