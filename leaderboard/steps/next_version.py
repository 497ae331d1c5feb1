"""The next version of a season: what there is to make it from, and its making."""

from collections.abc import Mapping
from typing import NamedTuple

from config.errors import SeasonRetired
from leaderboard.queries.moved import keys_moved
from leaderboard.queries.publication import (
    PublicationState,
    SealToPublish,
    Witness,
    publication_state,
    seals_to_publish,
    witnesses,
)
from leaderboard.rules import GLOBAL_BOARD, Buckets
from leaderboard.steps import checks
from leaderboard.steps.boards import count_board
from leaderboard.steps.flip import flip_to
from leaderboard.steps.laps import Laps
from leaderboard.steps.layouts import layout_with
from leaderboard.steps.ordered_checks import ordered_board_is_right
from leaderboard.steps.target import BoardTotals, Counted, Target

AS_THEY_ARE: Mapping[int, Buckets] = {}


class Sealed(NamedTuple):
    """The sealed epochs that no version includes, oldest first, and the version they follow."""

    season_id: int
    state: PublicationState
    seals: list[SealToPublish]
    found: list[Witness]

    @property
    def changes(self) -> int:
        """Return how many changes a board shows."""
        return sum(witness.changes for witness in self.found if witness.witness == "ledger")

    @property
    def target(self) -> Target:
        """Return the version that they would make."""
        state = self.state
        sets, version = state.boundary_sets, self.seals[-1].version
        return Target(self.season_id, state.namespace, state.layout, sets, state.number, version)


def what_is_sealed(season_id: int) -> Sealed:
    """
    Return what waits to be published, behind the publisher's lock.

    Raises CheckFailed if bests or buckets are lost, or the ledger disagrees with its tallies,
    and SeasonRetired for a season that was dropped meanwhile.
    """
    state = publication_state(season_id)
    if state is None:
        # The operation that makes a season publishes its first version.
        raise SeasonRetired
    checks.nothing_is_lost(state)
    seals = seals_to_publish(season_id, state.through)
    if not seals:
        return Sealed(season_id, state, [], [])
    found = witnesses(state.ledger_namespace, state.through, seals[-1].epoch)
    checks.ledger_agrees_with_tallies(found)
    return Sealed(season_id, state, seals, found)


def make_version(
    sealed: Sealed, instead: Mapping[int, Buckets] = AS_THEY_ARE, laps: Laps | None = None
) -> list[Counted]:
    """
    Count and check every board, write the version, and make it the current one.

    `instead` has other buckets for some ordered boards, with their players at the version before.
    Raises CheckFailed. Returns what was counted, board by board. `laps` gets the phases
    `collect` (what changed, from the ledger), `count` (each board, counted and written),
    `check` and `flip`.
    """
    laps = laps or Laps()
    state, target = sealed.state, sealed.target
    moved = keys_moved(state.ledger_namespace, state.through, sealed.seals[-1].epoch)
    laps.end("collect")
    counted = []
    for board in range(len(state.members)):
        before = BoardTotals(state.members[board], state.score_sums[board])
        deltas = moved.on_board(board)
        counted.append(count_board(target, board, before, deltas, instead.get(board)))
        if board == GLOBAL_BOARD:
            checks.membership_follows(before, counted[board].totals, sealed.found)
    laps.end("count")
    next_sample = _check(target, counted, state)
    laps.end("check")
    layout_id = layout_with(state, [board.boundary_set for board in counted])
    totals = [board.totals for board in counted]
    state = state._replace(layout_id=layout_id)
    flip_to(target, state, sealed.seals, totals, sealed.found, next_sample)
    laps.end("flip")
    return counted


def _check(target: Target, counted: list[Counted], state: PublicationState) -> int:
    """Check each board by its kind, and return where the next sample of buckets begins."""
    next_sample = state.sampled_bucket
    for board, (totals, boundary_set) in enumerate(counted):
        if boundary_set:
            ordered_board_is_right(target, board, boundary_set, totals)
        else:
            stored = checks.counted_board_is_right(target, board, totals)
            next_sample = checks.sampled_buckets_match_bests(target, stored, state)
    return next_sample
