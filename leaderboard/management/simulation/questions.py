"""What a reader asks, and what it saw. Pure."""

from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack
from urllib.parse import quote, urlencode

from leaderboard.management.simulation.standings import Key

Json = dict[str, Any]
Side = Literal["start", "around", "at_score", "after", "before"]


@dataclass(frozen=True, slots=True)
class Place:
    """
    Where a page lies: at the start, around a player, at a score, after or before a row.

    `counted` says whether the cursor came from the top, so that positions are known.
    """

    side: Side = "start"
    player: str = ""
    score: int = 0
    key: Key = (0, "")
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """
    One read of the public interface; `held` is the version that a cursor is bound to.

    `region` names the board, None the global one.
    """

    kind: str
    path: str
    player: str = ""
    size: int = 0
    place: Place = Place()
    asked: tuple[str, ...] = ()
    pinned: int | None = None
    min_version: int | None = None
    held: int | None = None
    region: str | None = None

    @property
    def floor(self) -> int | None:
        """The version below which no reply can be, as far as the question says."""
        bound = self.pinned if self.held is None else self.held
        return self.min_version if bound is None else bound


class Pins(TypedDict, total=False):
    """Which board a question is about, and how it may bind the version of its reply."""

    region: str | None
    pinned: int
    min_version: int


@dataclass(frozen=True, slots=True)
class Seen:
    """
    A question with its reply.

    `version` is the reply's; for a 404 that names none, `exact` is False and it is the oldest
    that the reply may be of.
    """

    question: Question
    status: int
    body: Json
    sent: float
    arrived: float
    version: int
    exact: bool = True


class Asker:
    """Forms questions about one season."""

    def __init__(self, season_id: str) -> None:
        """Ask about this season."""
        self._season = f"/v1/seasons/{season_id}"
        self._board = f"{self._season}/leaderboard"

    def season(self) -> str:
        """Return the address of the season's detail."""
        return self._season

    def top(self, limit: int, **pins: Unpack[Pins]) -> Question:
        """Ask for the first `limit` rows."""
        return Question("top", _url(f"{self._board}/top", limit=limit, **pins), size=limit, **pins)

    def final_top(self, limit: int, version: int) -> Question:
        """Ask for the first rows of the final version, which should be this one."""
        path = _url(f"{self._board}/top", limit=limit, version="final")
        return Question("top", path, size=limit, pinned=version)

    def rank(self, player: str, **pins: Unpack[Pins]) -> Question:
        """Ask for one player's rank."""
        return Question("rank", _url(f"{self._player(player)}/rank", **pins), player, **pins)

    def neighbors(self, player: str, radius: int, **pins: Unpack[Pins]) -> Question:
        """Ask for the rows around a player."""
        path = _url(f"{self._player(player)}/neighbors", radius=radius, **pins)
        return Question("neighbors", path, player, radius, **pins)

    def page(self, limit: int, place: Place, **pins: Unpack[Pins]) -> Question:
        """Ask for a page at its start, around a player or at a score."""
        around = place.player if place.side == "around" else None
        score = place.score if place.side == "at_score" else None
        address = f"{self._board}/page"
        path = _url(address, limit=limit, around_player=around, at_score=score, **pins)
        return Question("page", path, place.player, limit, place, **pins)

    def follow(
        self, limit: int, place: Place, cursor: str, version: int, region: str | None = None
    ) -> Question:
        """Ask for the page that a cursor of this version and board leads to."""
        path = _url(f"{self._board}/page", limit=limit, cursor=cursor, region=region)
        return Question("page", path, size=limit, place=place, held=version, region=region)

    def lookup(self, players: tuple[str, ...], **pins: Unpack[Pins]) -> Question:
        """Ask for several players at once; the body is `player_ids`."""
        path = _url(f"{self._board}/lookup", **pins)
        return Question("lookup", path, asked=players, **pins)

    def friends(self, player: str, **pins: Unpack[Pins]) -> Question:
        """Ask for a player among friends."""
        return Question("friends", _url(f"{self._player(player)}/friends", **pins), player, **pins)

    def rank_of(self, score: int, **pins: Unpack[Pins]) -> Question:
        """Ask for the rank that a score would have."""
        path = _url(f"{self._board}/rank-of", score=score, **pins)
        return Question("rank-of", path, size=score, **pins)

    def distribution(self, buckets: int, **pins: Unpack[Pins]) -> Question:
        """Ask for the players by so many ranges of scores."""
        path = _url(f"{self._board}/distribution", buckets=buckets, **pins)
        return Question("distribution", path, size=buckets, **pins)

    def _player(self, player: str) -> str:
        return f"{self._season}/players/{quote(player, safe='')}"


def _url(path: str, **query: Any) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    named = {("version" if name == "pinned" else name): value for name, value in given.items()}
    return f"{path}?{urlencode(named)}" if named else path
