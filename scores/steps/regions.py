"""Which region a player's first result is stamped with, and how bests follow a change of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from config import db
from scores.steps.writing import (
    Change,
    Shown,
    record_changes,
    refused_if_damaged,
    require_bests,
)
from seasons.queries import SeasonForWrite

ENSURE_PROFILES = db.statement(__file__, "ensure_profiles")
LOCK_PROFILES = db.statement(__file__, "lock_profiles")
MOVE_BESTS = db.statement(__file__, "move_bests")
INSERT_MOVES = db.statement(__file__, "insert_moves")


class LockedProfile(NamedTuple):
    """The region of a player who had no best; the row is locked until the transaction ends."""

    player_id: str
    region: str | None


class MovedBest(NamedTuple):
    """A best after it moved to another region's board, and which one it was on before."""

    player_id: str
    score: int | None
    tie_key: int
    region: int | None
    score_version: int
    change_no: int
    previous_region: int | None
    previous_epoch: int

    @property
    def change(self) -> Change:
        """Return what the move did to what is shown."""
        return Change(
            self.player_id,
            self.change_no,
            old=Shown(self.score, self.tie_key, self.previous_region),
            new=Shown(self.score, self.tie_key, self.region),
            from_epoch=self.previous_epoch,
        )


def boards_of_newcomers(season: SeasonForWrite, player_ids: Iterable[str]) -> dict[str, int]:
    """
    Return the regional boards of those of the players who have no best in the season yet.

    A player without a region, or with one that the season has not, is left out. The profiles
    stay locked until the transaction ends, so that a change of region at the same moment
    comes before this, or finds the best that is made now.
    """
    db.require_transaction()
    if not season.regions:
        return {}
    players = sorted(set(player_ids))
    db.execute(ENSURE_PROFILES.literal(namespace=season.namespace), player_ids=players)
    lock = LOCK_PROFILES.literal(namespace=season.namespace)
    locked = db.fetch_all(LockedProfile, lock, player_ids=players)
    boards = {profile.player_id: season.board_of(profile.region) for profile in locked}
    return {player: board for player, board in boards.items() if board is not None}


def move_bests(season: SeasonForWrite, regions: Mapping[str, str | None]) -> None:
    """
    Move the bests of players, whose locked profiles have these regions now, to their boards.

    The boards of a season whose grace time is over stay as they are: players who go on to move
    would keep it from becoming final. Raises Unavailable while the bests are lost.
    """
    db.require_transaction()
    if season.is_over or season.status == "final" or not regions:
        return
    require_bests(season)
    players = sorted(regions)
    moved = db.fetch_all(
        MovedBest,
        MOVE_BESTS.literal(namespace=season.namespace),
        player_ids=players,
        regions=[season.board_of(regions[player]) for player in players],
        epoch=season.open_epoch,
    )
    if moved:
        with refused_if_damaged(season.season_id):
            _record(season, moved)


def _record(season: SeasonForWrite, moved: Sequence[MovedBest]) -> None:
    changes = [best.change for best in moved]
    db.execute(
        INSERT_MOVES.literal(namespace=season.ledger_namespace),
        epoch=season.open_epoch,
        accepted_at=season.accepted_at,
        player_ids=[best.player_id for best in moved],
        score_versions=[best.score_version for best in moved],
        visible=[season.open_epoch if change.visible else None for change in changes],
        change_nos=[best.change_no for best in moved],
        scores=[best.score for best in moved],
        tie_keys=[best.tie_key for best in moved],
        old_regions=[best.previous_region for best in moved],
        new_regions=[best.region for best in moved],
    )
    record_changes(season, events=len(moved), changes=changes)
