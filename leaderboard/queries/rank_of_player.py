"""The rank of one player: where a rank comes out."""

from datetime import datetime
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion
from leaderboard.queries.published import Published
from leaderboard.queries.ranking import ranking_players

RANK_OF_PLAYER = ranking_players(db.statement(__file__, "rank_of_player"))
RANK_UNLESS_CHANGED = db.statement(__file__, "rank_unless_changed")
# The scores of most seasons begin at 0: to subtract that, five times, is not for nothing.
RANK_UNLESS_CHANGED_FROM_0 = db.Statement(RANK_UNLESS_CHANGED.replace(" - %(lower_score)s", ""))


class RankOfPlayer(NamedTuple):
    """A player's rank at a version; no score: not on the board then."""

    number: int
    sealed_at: datetime
    replaced_at: datetime | None
    members: list[int]
    score: int | None
    tie_key: int | None
    rank: int | None
    accepted_epoch: int | None
    accepted_score: int | None
    accepted_version: int | None
    boards_present: bool

    @property
    def is_pending(self) -> bool:
        """
        Return whether something accepted is in no version up to this one.

        Of a player who is not on the board, and will not be, nothing is: no version may follow.
        """
        if self.accepted_epoch is None or (self.score, self.accepted_score) == (None, None):
            return False
        return self.accepted_epoch > self.number


def rank_of_player(
    season: Published, player_id: str, *, version: int, board: int = 0, using: str = "reads"
) -> RankOfPlayer | None:
    """
    Return the player's rank at a version, by one statement, or None if the version is gone.

    rank = 1 + players in higher buckets + players above within the bucket. A shorter
    statement has the answer for players whose best is as it was at the current version.
    Raises NoPublishedVersion while the bests or the buckets are lost.
    """
    if version == season.number and season.is_counted(board):
        unchanged = _rank_unless_changed(season, player_id, board, using)
        if unchanged is not None and unchanged.rank is not None:
            return unchanged
    found = db.fetch_one(
        RankOfPlayer,
        RANK_OF_PLAYER.on(season, board),
        using=using,
        player_id=player_id,
        version=version,
    )
    if found and (not found.boards_present or (found.score is not None and found.rank is None)):
        raise NoPublishedVersion
    return found


def unless_changed(season: Published) -> db.Statement:
    """Return the short statement for the current version of a season's counted boards."""
    begins_at_0 = season.literals["lower_score"] == 0
    return RANK_UNLESS_CHANGED_FROM_0 if begins_at_0 else RANK_UNLESS_CHANGED


def _rank_unless_changed(
    season: Published, player_id: str, board: int, using: str
) -> RankOfPlayer | None:
    def as_found(
        score: int, tie_key: int, rank: int, epoch: int, score_version: int
    ) -> RankOfPlayer:
        header = (season.current, season.sealed_at, None, season.members)
        accepted = (epoch, score, score_version)
        return RankOfPlayer._make((*header, score, tie_key, rank, *accepted, True))

    return db.fetch_one(
        as_found,
        unless_changed(season).literal(**season.literals, board=board),
        using=using,
        player_id=player_id,
        version=season.current,
    )
