"""Friend lists: what is sent, what must be stored, and which may be current when. Pure."""

from collections.abc import Iterator, Sequence
from random import Random
from threading import Lock
from typing import Any, NamedTuple

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.timelines import BEGINNING, KEPT_SECONDS

Json = dict[str, Any]
MEMBERS = {"player_id", "friend_ids", "friends_version", "updated_at"}
SIZES = (0, 1, 5, 20, 60)
LARGEST = 500
REPEAT, OLD, LARGE = 0.15, 0.15, 0.02


class FriendList(NamedTuple):
    """A list as it is sent or stored; version 0 stands for none."""

    player_id: str
    friends: frozenset[str] = frozenset()
    version: int = 0


class Since(NamedTuple):
    """A list that was sent and answered at these times."""

    sent: float
    answered: float
    stored: FriendList


class Friendships:
    """The lists of all players, with their latest moments. Threads may ask at any time."""

    def __init__(self) -> None:
        """Begin without lists."""
        self._lock = Lock()
        self._moments: dict[str, list[Since]] = {}
        self._names: list[str] = []

    def of(self, player: str) -> FriendList:
        """Return the list that is stored."""
        with self._lock:
            moments = self._moments.get(player)
            return moments[-1].stored if moments else FriendList(player)

    def record(self, stored: FriendList, sent: float, answered: float) -> None:
        """Note a list that is stored now."""
        with self._lock:
            if stored.player_id not in self._moments:
                self._names.append(stored.player_id)
            none = Since(BEGINNING, BEGINNING, FriendList(stored.player_id))
            moments = self._moments.setdefault(stored.player_id, [none])
            moments.append(Since(sent, answered, stored))
            while len(moments) > 1 and moments[1].answered < sent - KEPT_SECONDS:
                del moments[0]

    def candidates(self, player: str, sent: float, arrived: float) -> list[FriendList]:
        """Return the lists that a read in this time may have met."""
        with self._lock:
            moments = self._moments.get(player)
            if not moments:
                return [FriendList(player)]
            done = [at for at, moment in enumerate(moments) if moment.answered <= sent]
            found = moments[done[-1] if done else 0 :]
            return [moment.stored for moment in found if moment.sent <= arrived]

    def somebody(self, random: Random) -> str | None:
        """Return a player who has a list."""
        with self._lock:
            return random.choice(self._names) if self._names else None


class Befriending:
    """Which lists are sent next, about a share of the players."""

    def __init__(self, friendships: Friendships, everybody: Sequence[str], random: Random) -> None:
        """Draw friends from everybody."""
        self._friendships, self._everybody, self._random = friendships, everybody, random

    def next_of(self, player: str) -> FriendList:
        """Return a player's next list: mostly a newer one, sometimes the same or an older one."""
        stored, draw = self._friendships.of(player), self._random.random()
        if stored.version and draw < REPEAT:
            return stored
        if stored.version and draw < REPEAT + OLD:
            version = self._random.randint(max(1, stored.version - 2), stored.version)
            return FriendList(player, self._friends(player), version)
        version = stored.version + self._random.randint(1, 3)
        return FriendList(player, self._friends(player), version)

    def _friends(self, player: str) -> frozenset[str]:
        size = self._random.choice(SIZES)
        if self._random.random() < LARGE:
            size = LARGEST
        chosen = self._random.sample(self._everybody, min(size, len(self._everybody)))
        return frozenset(chosen) - {player}


def friends_body(given: FriendList, random: Random) -> Json:
    """Return what is sent of a list: in any order, now and then with a friend twice."""
    names = list(given.friends)
    random.shuffle(names)
    twice = names[:1] if len(names) < LARGEST and random.random() < 0.2 else []
    return {"friend_ids": names + twice, "friends_version": given.version}


def says(stored: FriendList, given: FriendList) -> bool:
    """Return whether a list that was sent is the one that is stored, or becomes it."""
    return given == stored or given.version > stored.version


def judge_list(
    given: FriendList, stored: FriendList, status: int, body: Json
) -> Iterator[Finding]:
    """Return what is wrong with the reply to a list, sent when another one was stored."""
    text = f"list {given.version} of {given.player_id}, after {stored.version}"
    if not says(stored, given):
        if (status, body.get("code")) != (409, "friends_conflict"):
            yield Finding("friends", f"{text}, was answered {status} {body.get('code')}")
    elif status != 200 or body.keys() != MEMBERS:
        yield Finding("friends", f"{text}, was answered {status} {str(body)[:200]}")
    else:
        got = FriendList(body["player_id"], frozenset(body["friend_ids"]), body["friends_version"])
        if got != given or len(body["friend_ids"]) != len(given.friends):
            yield Finding("friends", f"{text}, was stored as {str(body)[:200]}")
