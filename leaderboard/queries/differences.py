"""What a corrected version changed: who moved, from which rank to which."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from config import db
from config.errors import VersionExpired
from leaderboard.models import Settlement
from leaderboard.queries.lookup import lookup
from leaderboard.queries.published import Published
from leaderboard.queries.results import walk
from leaderboard.queries.window import Entry

PLAYERS_CORRECTED = db.statement(__file__, "players_corrected")

LOOKED_UP_AT_ONCE = 500


class Moved(NamedTuple):
    """
    A player whose rank or score differs; no old rank: entered, no new one: left.

    `settlements` are the reward runs on record that paid by the old version with the player
    on it.
    """

    player_id: str
    old_rank: int | None
    old_score: int | None
    new_rank: int | None
    new_score: int | None
    settlements: list[str]

    @property
    def differs(self) -> bool:
        """Return whether rank or score is another one."""
        return (self.old_rank, self.old_score) != (self.new_rank, self.new_score)


class Pair(NamedTuple):
    """Two versions of a season: the final one, and one that corrects it."""

    old: int
    new: int


def players_corrected(
    season: Published, pair: Pair, *, limit: int, using: str = "reads"
) -> list[str]:
    """Return the players with a change accepted between two versions, in order of their ids."""
    return db.fetch_all(
        str,
        PLAYERS_CORRECTED.literal(namespace=season.ledger_namespace),
        using=using,
        old=pair.old,
        new=pair.new,
        limit=limit,
    )


def moved_among(
    season: Published, pair: Pair, player_ids: Iterable[str], *, using: str = "reads"
) -> list[Moved]:
    """Return those of the players whose rank or score differs between two versions."""
    wanted = list(player_ids)
    old = _entries(season, pair.old, wanted, using)
    new = _entries(season, pair.new, wanted, using)
    settled = _settled_by(season, pair.old, using)
    pairs = [(old.get(player), new.get(player)) for player in wanted]
    moved = (_moved(season, pair, settled) for pair in pairs if pair != (None, None))
    return [one for one in moved if one.differs]


def differences(season: Published, pair: Pair, *, using: str = "reads") -> Iterator[list[Moved]]:
    """
    Yield everybody who moved between two versions, some at a time.

    First those on the new version in its display order, then those who left the board.
    """
    settled = _settled_by(season, pair.old, using)
    for part in _parts(season, pair.new, using):
        old = _entries(season, pair.old, [entry.player_id for entry in part], using)
        moved = (_moved(season, (old.get(new.player_id), new), settled) for new in part)
        yield [one for one in moved if one.differs]
    for part in _parts(season, pair.old, using):
        still = _entries(season, pair.new, [entry.player_id for entry in part], using)
        left = (entry for entry in part if entry.player_id not in still)
        yield [_moved(season, (entry, None), settled) for entry in left]


def _parts(season: Published, version: int, using: str) -> Iterator[list[Entry]]:
    for page in walk(season, version, using=using):
        for start in range(0, len(page), LOOKED_UP_AT_ONCE):
            yield page[start : start + LOOKED_UP_AT_ONCE]


def _entries(
    season: Published, version: int, player_ids: list[str], using: str
) -> dict[str, Entry]:
    found = lookup(season, player_ids, version=version, using=using)
    if found is None:
        raise VersionExpired(current_version=season.number)
    return {entry.player_id: entry for entry in found.entries}


def _settled_by(season: Published, version: int, using: str) -> list[str]:
    recorded = Settlement.objects.using(using).filter(season_id=season.season_id, version=version)
    return list(recorded.order_by("id").values_list("settlement_id", flat=True))


def _moved(
    season: Published, sides: tuple[Entry | None, Entry | None], settled: list[str]
) -> Moved:
    old, new = sides
    player = next(entry.player_id for entry in sides if entry is not None)
    paid = settled if old is not None else []
    return Moved(player, *_shown(season, old), *_shown(season, new), paid)


def _shown(season: Published, entry: Entry | None) -> tuple[int | None, int | None]:
    return (None, None) if entry is None else (entry.rank, season.scores.turned(entry.score))
