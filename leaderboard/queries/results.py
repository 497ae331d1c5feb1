"""Final and corrected versions: every player in display order, and the checksum of it all."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from config.errors import NotFinal, VersionExpired, VersionUnknown
from leaderboard.models import Results, Version
from leaderboard.queries.published import Published
from leaderboard.queries.window import Entry, Place, players_after

PLAYERS_AT_ONCE = 5_000


class Ranked(NamedTuple):
    """A player of a version: the place in display order, the shared rank, and the score."""

    position: int
    rank: int
    player_id: str
    score: int


class Checksum(NamedTuple):
    """How many players a version has, and the SHA-256 over all its lines."""

    entries: int
    sha256: str


def final_or_corrected(season: Published, version: int | None, *, using: str = "reads") -> int:
    """
    Return the version whose results are meant: the final one unless another is named.

    Raises NotFinal for a season or a version that is not, VersionUnknown above the current.
    """
    if season.final_version is None:
        raise NotFinal
    if version is None or version == season.final_version:
        return season.final_version
    if version > season.current:
        raise VersionUnknown(current_version=season.current)
    made = Version.objects.using(using).filter(namespace=season.namespace, number=version)
    if not made.filter(kind="corrected").exists():
        raise NotFinal("This version is neither final nor corrected.")
    return version


def walk(season: Published, version: int, *, using: str = "reads") -> Iterator[list[Entry]]:
    """
    Yield every player of a version in display order, some thousands at a time.

    The memory does not depend on how many there are. Raises VersionExpired if it is gone.
    """
    place: Place | None = None
    more = True
    while more:
        page = players_after(season, place, version=version, limit=PLAYERS_AT_ONCE, using=using)
        if page is None:
            raise VersionExpired(current_version=season.number)
        if page.entries:
            yield page.entries
            last = page.entries[-1]
            place = Place(last.score, last.tie_key, last.player_id)
        more = page.more_after


def ranked(season: Published, pages: Iterable[list[Entry]]) -> Iterator[list[Ranked]]:
    """Yield the same players with their positions, counted from the first, and their scores."""
    position, scores = 0, season.scores
    for page in pages:
        yield [
            Ranked(
                position + place,
                entry.rank,
                entry.player_id,
                scores.turned(entry.score),
            )
            for place, entry in enumerate(page, 1)
        ]
        position += len(page)


class Summing:
    """The checksum over the lines `position,rank,player_id,score`, as page after page comes."""

    def __init__(self) -> None:
        """Begin before the first page."""
        self._digest, self._entries = hashlib.sha256(), 0

    def add(self, page: list[Ranked]) -> None:
        """Take the next page."""
        self._digest.update("".join(map(line_of, page)).encode())
        self._entries += len(page)

    @property
    def so_far(self) -> Checksum:
        """Return the checksum of the pages that were added."""
        return Checksum(self._entries, self._digest.hexdigest())


def checksum_of(pages: Iterable[list[Ranked]]) -> Checksum:
    """Return the checksum of a whole version."""
    summing = Summing()
    for page in pages:
        summing.add(page)
    return summing.so_far


def line_of(player: Ranked) -> str:
    """Return the line of a player that the checksum is taken over."""
    return f"{player.position},{player.rank},{player.player_id},{player.score}\n"


def stored_checksum(season_id: int, version: int, *, using: str = "reads") -> Checksum | None:
    """Return the checksum of a version if it was taken already."""
    stored = Results.objects.using(using).filter(season_id=season_id, version=version)
    found = stored.values_list("entries", "sha256").first()
    return None if found is None else Checksum(*found)
