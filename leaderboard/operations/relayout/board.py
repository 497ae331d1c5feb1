"""Give a board other buckets: found, weighed, compared, and published with the next version."""

import logging
import uuid
from typing import NamedTuple

from leaderboard import rules
from leaderboard.operations.held_version import held_version
from leaderboard.operations.rebuild.hold import Tell
from leaderboard.operations.rebuild.season import silent
from leaderboard.operations.relayout.in_use import board_in_use, require_cuttable, watermark
from leaderboard.operations.relayout.publishing import publish_relaid
from leaderboard.operations.relayout.sample import players_to_compare
from leaderboard.operations.relayout.wishes import Wish
from leaderboard.queries.published import published
from leaderboard.rules import LayoutFigures
from leaderboard.steps.relaid import Compared

log = logging.getLogger(__name__)


class Relaid(NamedTuple):
    """What became of a wish: what buckets cost before and after, and which version has them."""

    outcome: str
    before: LayoutFigures
    after: LayoutFigures
    version: int | None = None
    compared: Compared | None = None


def relayout_board(
    slug: str,
    wish: Wish,
    *,
    region: str | None = None,
    if_worth_it: bool = False,
    tell: Tell = silent,
) -> Relaid:
    """
    Publish the first version in which an ordered board has the buckets that are wished for.

    They are found at the current version, beside those in use and without the publisher's lock;
    what moved since is added when the next version is made, which is published even if no result
    came in. Versions published before keep their buckets.
    Outcomes: `published`; `not_worth_it` (nothing that buckets cost falls by a fifth, and
    `if_worth_it` was asked). Several transactions, of which the last publishes, or changes
    nothing. Raises SeasonNotFound, RegionNotFound, CannotRelayout with a sentence, Unavailable
    while publications are in the way, VersionExpired if the version was let go, and CheckFailed if
    the new buckets disagree with the old ones or with the bests; the season goes on all the same.
    """
    season = published(slug, using="default")
    board = season.board_of(region)
    require_cuttable(season, board)
    state = watermark(season)
    with held_version(season.season_id, state.number, f"relayout {uuid.uuid4()}") as held:
        used = board_in_use(season, board, state)
        wanted = wish(used, tell)
        before, after = map(rules.layout_figures, (used.buckets, wanted))
        if if_worth_it and not rules.is_worth_it(before, after):
            return Relaid("not_worth_it", before, after)
        players = players_to_compare(used, wanted)
        held.require()
        version, compared = publish_relaid(used, wanted, players)
    log.info(
        "relayout season=%s board=%s version=%s buckets=%s before=%s",
        slug,
        board,
        version,
        after.buckets,
        before.buckets,
    )
    return Relaid("published", before, after, version, compared)
