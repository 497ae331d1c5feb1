"""A board whose buckets are to be others, as the current version has it."""

from typing import NamedTuple

from config.errors import Unavailable, VersionExpired
from leaderboard.models import Stop, Version
from leaderboard.queries.publication import PublicationState, publication_state
from leaderboard.queries.published import Published
from leaderboard.rules import Buckets
from leaderboard.steps.ordered_board import buckets_before
from leaderboard.steps.target import Target

IS_FINAL = "The season is final: what is final never changes, nor do its buckets."
IS_COUNTED = "This board has a count for every score: there is nothing to cut."
IS_STOPPED = "The season's publication was stopped by a failed check."


class CannotRelayout(Exception):
    """The board cannot have these buckets; it keeps those that it has."""


class BoardInUse(NamedTuple):
    """
    A board at the watermark, the version that was current when the work began, which is held.

    `target` names it as the version before and as the one that is looked at.
    """

    season: Published
    board: int
    target: Target
    buckets: Buckets

    @property
    def version(self) -> int:
        """Return the number of the version."""
        return self.target.version


def require_cuttable(season: Published, board: int) -> None:
    """Raise CannotRelayout or Unavailable unless the board's buckets can be others."""
    if season.final_version is not None:
        raise CannotRelayout(IS_FINAL)
    if season.is_counted(board):
        raise CannotRelayout(IS_COUNTED)
    if Stop.objects.filter(season_id=season.season_id).exists():
        raise Unavailable(IS_STOPPED)


def watermark(season: Published) -> PublicationState:
    """Return where the season's publication stands: at the version that is to be looked at."""
    state = publication_state(season.season_id)
    assert state is not None, "the operation that makes a season publishes its first version"
    return state


def board_in_use(season: Published, board: int, state: PublicationState) -> BoardInUse:
    """Return a board as it is at the watermark; VersionExpired if the version is gone."""
    sets, number = state.boundary_sets, state.number
    if not Version.objects.filter(namespace=state.namespace, number=number).exists():
        raise VersionExpired
    target = Target(season.season_id, state.namespace, state.layout, sets, number, number)
    return BoardInUse(season, board, target, buckets_before(target, board, state.members[board]))
