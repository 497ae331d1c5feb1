"""A series for one run of `simulate`: made and ended as an operator does it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import Error

from config.errors import Refusal
from leaderboard.operations.create_series import create_series
from leaderboard.operations.end_series import end_series
from seasons.rules import SeriesRules, WindowWanted

ACTOR, REASON = "simulate", "The simulation is over."
REGIONS = ("AMER", "APAC", "EMEA", "OCE")
GRACE_SECONDS = 20
# Windows that touch, with their turn on the minute, and others with gaps and a turn between.
WINDOWS = (
    WindowWanted("all-time", "all_time"),
    WindowWanted("round", "cron", "*/2 * * * *"),
    WindowWanted("dash", "cron", "1-59/3 * * * *", 90),
)

log = logging.getLogger(__name__)


class NoSeries(Exception):
    """No series can be made here, for the reason given."""


@contextmanager
def own_series(slug: str) -> Iterator[None]:
    """
    Make a series for the block and end it behind it, whatever happens; or raise NoSeries.

    Its seasons go by rule within a minute of becoming final.
    """
    rules = SeriesRules(
        slug=slug,
        name="A series of make simulate",
        time_zone="UTC",
        windows=WINDOWS,
        grace_seconds=GRACE_SECONDS,
        late_policy="next",
        regions=REGIONS,
        kept_days=0,
    )
    try:
        create_series(rules)
    except Error as failure:
        with suppress(Refusal, Error):
            end_series(slug, actor=ACTOR, reason=REASON)
        raise NoSeries(str(failure).splitlines()[0]) from failure
    try:
        yield
    finally:
        end(slug)


def end(slug: str) -> None:
    """End a series; if writers are in the way now, say how it is done later."""
    try:
        end_series(slug, actor=ACTOR, reason=REASON)
    except (Refusal, Error):
        log.exception("the series %s could not be ended: run `end_series %s`", slug, slug)
