"""Make a season, its partitions, and its empty first version."""

from decimal import Decimal

from django.db import IntegrityError

from config import db
from config.errors import Fault, SeasonExists, ValidationFailed
from leaderboard.queries.publication import PublicationState, SealToPublish
from leaderboard.rules import BucketLayout
from leaderboard.steps import boards
from leaderboard.steps.boards import write_empty_board
from leaderboard.steps.flip import flip_to
from leaderboard.steps.layouts import first_layout
from leaderboard.steps.target import BoardTotals, Target
from scores import steps as scores
from seasons import rules
from seasons import steps as seasons
from seasons.models import Season
from seasons.queries.window_rules import has_season
from seasons.rules import PlannedWindow, SeasonRules

FIRST_VERSION = 1


def create_season(wanted: SeasonRules, window: PlannedWindow | None = None) -> Season:
    """
    Make a season with its partitions, in one transaction, and publish its empty version.

    Raises ValidationFailed with every fault of the rules, SeasonExists for a slug in use or a
    window of a series that has its season, and SeriesEnded.
    """
    faults = rules.faults(wanted, in_series=window is not None)
    if faults:
        raise ValidationFailed([Fault("", "invalid", sentence) for sentence in faults])
    if Season.objects.filter(slug=wanted.slug).exists():
        raise SeasonExists
    try:
        return _create(wanted, window)
    except IntegrityError as failure:
        if Season.objects.filter(slug=wanted.slug).exists() or has_season(window):
            raise SeasonExists from failure
        raise


def _create(wanted: SeasonRules, window: PlannedWindow | None) -> Season:
    with db.transact:
        namespace = seasons.next_namespace()
        season = seasons.insert_season(wanted, namespace, window)
        scores.create_namespace(namespace)
        boards.create_namespace(namespace)
        _publish_empty(season)
    return season


def _publish_empty(season: Season) -> None:
    stored = first_layout(season)
    layout = BucketLayout(stored.lower_score, stored.bucket_width, stored.buckets)
    sets = stored.boundary_sets
    every = len(sets)
    target = Target(season.id, season.namespace, layout, sets, 0, FIRST_VERSION)
    for board in range(every):
        write_empty_board(target, board)
    state = PublicationState(
        namespace=season.namespace,
        ledger_namespace=season.ledger_namespace,
        regions=season.regions,
        **layout._asdict(),
        boundary_sets=sets,
        layout_id=stored.id,
        number=0,
        members=[0] * every,
        score_sums=[0] * every,
        through=0,
        sampled_bucket=0,
        ledger_rows=0,
        ledger_hash=Decimal(0),
        final_version=None,
    )
    seal = SealToPublish(FIRST_VERSION, FIRST_VERSION, season.created_at)
    flip_to(target, state, [seal], [BoardTotals(0, 0)] * every, [], 0)
