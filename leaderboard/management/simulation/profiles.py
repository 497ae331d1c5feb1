"""Profiles of players: what a service says of them, and what must be stored then. Pure."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from leaderboard.management.simulation.findings import Finding

Json = dict[str, Any]
MEMBERS = {"player_id", "region", "profile_version", "updated_at"}
# A code that no season has: its players are on the global board only.
NOWHERE = "XX"
REPEAT, OLD, SAME, AWAY = 0.1, 0.1, 0.1, 0.15


class Profile(NamedTuple):
    """A profile as it is sent or stored; version 0 is that of a player who never had one."""

    player_id: str
    region: str | None
    version: int

    def body(self) -> Json:
        """Return what is sent of it beside the player."""
        return {"region": self.region, "profile_version": self.version}


class Profiles:
    """The profiles of a share of the players, of whom nobody else says anything."""

    def __init__(self, regions: Sequence[str], random: Random) -> None:
        """Let players belong to these regions, to none, or to one that there is not."""
        self._regions, self._random = regions, random
        self._stored: dict[str, Profile] = {}

    def of(self, player: str) -> Profile:
        """Return the profile that is stored."""
        return self._stored.get(player) or Profile(player, None, 0)

    def next_of(self, player: str) -> Profile:
        """Return what is said of a player next: mostly a move, sometimes nothing new."""
        stored, draw = self.of(player), self._random.random()
        if stored.version and draw < REPEAT:
            return stored
        if stored.version and draw < REPEAT + OLD:
            version = self._random.randint(max(1, stored.version - 2), stored.version)
            return Profile(player, self._other(stored.region), version)
        version = stored.version + self._random.randint(1, 3)
        if draw < REPEAT + OLD + SAME:
            return Profile(player, stored.region, version)
        return Profile(player, self._other(stored.region), version)

    def first_of(self, player: str) -> Profile:
        """Return a first profile, in one of the regions."""
        return Profile(player, self._random.choice(self._regions), 1)

    def after(self, sent: Sequence[Profile]) -> dict[str, Profile]:
        """Return what must be stored after a request: the newest of each, of equals the first."""
        found: dict[str, Profile] = {}
        for profile in sent:
            stored = found.get(profile.player_id) or self.of(profile.player_id)
            found[profile.player_id] = profile if profile.version > stored.version else stored
        return found

    def store(self, profiles: dict[str, Profile]) -> None:
        """Take over what is stored."""
        self._stored.update(profiles)

    def _other(self, region: str | None) -> str | None:
        if self._random.random() < AWAY:
            return None if region == NOWHERE else NOWHERE
        return self._random.choice([one for one in self._regions if one != region] or [NOWHERE])


def judge_single(sent: Profile, stored: Profile, status: int, body: Json) -> Iterator[Finding]:
    """Return what is wrong with the reply to one profile."""
    if sent != stored:
        if (status, body.get("code")) != (409, "profile_conflict"):
            yield Finding("profile", f"{sent}, with {stored} stored, was answered {status} {body}")
    elif status != 200 or body.keys() != MEMBERS or _profile(body) != stored:
        yield Finding("profile", f"{sent} was answered {status} {body}")


def judge_several(
    sent: Sequence[Profile], stored: dict[str, Profile], status: int, body: Json
) -> Iterator[Finding]:
    """Return what is wrong with the reply to several profiles."""
    results = body.get("results")
    if status != 200 or not isinstance(results, list) or len(results) != len(sent):
        yield Finding("profile", f"{len(sent)} profiles were answered {status} {str(body)[:200]}")
        return
    for profile, result in zip(sent, results, strict=True):
        kept = stored[profile.player_id]
        outcome = "stored" if profile == kept else "conflict"
        if result.keys() != MEMBERS | {"outcome"} or result["outcome"] != outcome:
            yield Finding("profile", f"{profile} should be {outcome}, the reply is {result}")
        elif _profile(result) != kept:
            yield Finding("profile", f"{kept} should be stored, the reply is {result}")


def _profile(body: Json) -> Profile:
    return Profile(body["player_id"], body["region"], body["profile_version"])
