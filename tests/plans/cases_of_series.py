"""What readers and writers ask of a series with many windows."""

from datetime import UTC, datetime, timedelta
from functools import partial

from leaderboard.operations.retire_season import CLAIM_RETIREMENT, RETIRE_PUBLICATIONS
from seasons.models import Series, WindowRule
from seasons.queries.seasons_at import SEASONS_AT
from seasons.queries.series import SERIES_FOR_WRITE
from seasons.queries.window_rules import WINDOW_RULES_DUE
from seasons.queries.windows import PAST_WINDOWS, PRESENT_WINDOWS, PastPlace
from tests.plans.big_season import BigSeason
from tests.plans.case import Case, Cases

SLUG = "series-2"
RULES = 2
PAGE = 11
# Of a window and its season, each by an index.
BLOCKS = 8
BATCH = 1_000
NOW = datetime.now(UTC)


def series_id() -> int:
    return Series.objects.values_list("id", flat=True).get(slug=SLUG)


def present_windows(_: BigSeason) -> Case:
    """Of each rule the newest ten, few of which are shown."""
    newest = RULES * 10
    asked = {"series_id": series_id()}
    return Case(PRESENT_WINDOWS, asked, rows=4 * newest, blocks=newest * BLOCKS, sorted=newest)


def past_windows(_: BigSeason, before: PastPlace) -> Case:
    """Those of each rule that may stand on the page, and after the start those of now."""
    asked = {
        "series_id": series_id(),
        "before_start": before.starts_at,
        "before_rule": before.rule_id,
        "limit": PAGE,
    }
    rows = RULES * (PAGE + 3)
    return Case(PAST_WINDOWS, asked, rows=3 * rows, blocks=rows * BLOCKS, sorted=rows)


def seasons_at(_: BigSeason) -> Case:
    """For each rule and instant the window before and the one after, with their seasons."""
    rules = WindowRule.objects.filter(series_id=series_id()).values_list("id", flat=True)
    instants = [NOW - timedelta(seconds=number) for number in range(BATCH)]
    asked = {"rule_ids": list(rules), "instants": instants}
    looks = 2 * RULES * BATCH
    return Case(SEASONS_AT, asked, rows=2 * looks, blocks=looks * BLOCKS, sorted=RULES * BATCH)


def retire_publications(big: BigSeason) -> Case:
    """Ten thousand at once: each is found, and deleted."""
    statement = RETIRE_PUBLICATIONS.literal(season_id=big.season.season_id)
    return Case(statement, {}, rows=20_000, blocks=80_000)


SERIES_READS: Cases = {
    "present_windows": {"": present_windows},
    "past_windows": {
        "first page": partial(past_windows, before=PastPlace()),
        "in the middle": partial(past_windows, before=PastPlace(NOW - timedelta(days=1), 3)),
    },
}
SERIES_WRITES: Cases = {
    "series_for_write": {
        "": lambda _: Case(SERIES_FOR_WRITE, {"slug": SLUG}, rows=1, blocks=6),
    },
    "seasons_at": {"": seasons_at},
    "window_rules_due": {
        "": lambda _: Case(WINDOW_RULES_DUE, {}, rows=30, blocks=60, sorted=RULES * 3),
    },
    "claim_retirement": {
        "": lambda _: Case(CLAIM_RETIREMENT, {"held_seconds": 300}, rows=2, blocks=12),
    },
    "retire_publications": {"": retire_publications},
}
