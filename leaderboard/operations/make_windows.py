"""Make the seasons of a series' windows, ahead of time and exactly once."""

import logging
from datetime import timedelta
from itertools import islice

from config.errors import SeasonExists, SeriesEnded
from leaderboard.operations.create_season import create_season
from seasons.models import Season, WindowRule
from seasons.queries.window_rules import calendar_of, has_season, known_rule, rules_of
from seasons.rules import PlannedWindow, Span, due_spans, season_slugs, stem_of

# After a long time without a maker others are let through between.
MOST_AT_ONCE = 20

log = logging.getLogger(__name__)


def make_windows(rule_id: int, *, most: int = MOST_AT_ONCE) -> list[Season]:
    """
    Make the seasons of the windows that are due by a rule, in order: operations in turn.

    Those are the present window and the next, and before them those that were missed and may
    still get results. Returns what it made, of 20 at most. Safe to be run twice at once: a window
    gets one season.
    """
    known = known_rule(rule_id)
    due = due_spans(
        calendar_of(known.rule),
        last=known.last,
        begins_at=known.rule.series.starts_at,
        grace=timedelta(seconds=known.rule.series.grace_seconds),
        now=known.now,
    )
    made = (_make(known.rule, span) for span in islice(due, most))
    try:
        return [season for season in made if season is not None]
    except SeriesEnded:
        return []


def _make(rule: WindowRule, span: Span) -> Season | None:
    window, series = PlannedWindow(rule.id, span), rules_of(rule.series)
    stem = stem_of(series.slug, rule.suffix)
    for slug in season_slugs(stem, calendar_of(rule), span):
        name = f"{series.name} {slug.removeprefix(f'{series.slug}-')}"
        try:
            season = create_season(series.of_season(slug, name, span), window)
        except SeasonExists:
            if has_season(window):
                return None
        else:
            log.info("series=%s season=%s is made", series.slug, slug)
            return season
    raise SeasonExists(f"Every id for the window {stem} at {span.starts_at} is taken.")
