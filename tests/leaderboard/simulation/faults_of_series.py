"""Faults planted between a client and a series: each spoils some replies, all else passes."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.leaderboard.simulation.faults import Changes, Fault, rows_in
from tests.leaderboard.simulation.reference import Answer, Json
from tests.leaderboard.simulation.serving import Handle
from tests.leaderboard.simulation.windows import REGIONS, SLUG


def region_of(url: str) -> str | None:
    found = parse_qs(urlsplit(url).query).get("region")
    return found[0] if found else None


def asked_for(url: str, kind: str) -> bool:
    return SLUG in url and urlsplit(url).path.endswith(f"/{kind}")


class Regional(Fault):
    """Spoils what boards of regions say."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        region = region_of(url)
        if status == 200 and region in REGIONS and "leaderboard_version" in reply:
            self.spoil_regional(region, urlsplit(url).path.rsplit("/", 1)[-1], reply)
        return status, reply

    def spoil_regional(self, region: str, kind: str, reply: Json) -> None:
        """Change a good reply about a region's board."""


class RegionalRankPlusOne(Regional):
    """Whoever is third in a region is fourth."""

    def spoil_regional(self, region: str, kind: str, reply: Json) -> None:
        for row in rows_in(reply):
            row["rank"] += row["rank"] == 3


class OnTwoBoards(Regional):
    """The first one of a region is shown on the board of another one too."""

    SECONDS = 6.0
    first: Json | None = None

    def spoil_regional(self, region: str, kind: str, reply: Json) -> None:
        if kind == "top" and reply["entries"]:
            if region == REGIONS[0]:
                self.first = dict(reply["entries"][0])
            elif self.first is not None:
                reply["entries"][0] = {**self.first, "rank": 1, "position": 1}


class MovesEarlier(Fault):
    """One board shows the content of the next version, with those who move already."""

    SECONDS = 6.0

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        is_top = asked_for(url, "top") and region_of(url) == REGIONS[0]
        if status == 200 and is_top and reply["age_seconds"] is not None:
            reply["leaderboard_version"] = self.before(url, reply["leaderboard_version"])
        return status, reply

    def __init__(self, forward: Handle) -> None:
        super().__init__(forward)
        self.versions: dict[str, list[int]] = {}

    def before(self, url: str, version: int) -> int:
        """Return the version before this one, of those that were shown."""
        versions = self.versions.setdefault(urlsplit(url).path, [version])
        if version != versions[-1]:
            versions.append(version)
        return versions[-2] if len(versions) > 1 else version


class LostMove(Fault):
    """Profiles are answered as they should be, and some have no effect."""

    SECONDS = 6.0
    asked_for_moves = 0

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if url.endswith("/profile") and body is not None:
            self.asked_for_moves += 1
            if self.asked_for_moves > 3 and body["region"] in REGIONS:
                player = unquote(url.split("/")[-2])
                return 200, {"player_id": player, **body, "updated_at": "2026-01-01T00:00:00Z"}
        return self.forward(method, url, headers, body)


class MoveNotFed(Changes):
    """Moves never come in the feed."""

    def spoil_changes(self, changes: list[Json]) -> None:
        changes[:] = [one for one in changes if one["kind"] != "region"]


class MoveTwice(Changes):
    """A move comes twice in the feed."""

    def spoil_changes(self, changes: list[Json]) -> None:
        changes += [one for one in changes if one["kind"] == "region"][:1]


class OlderFriends(Fault):
    """Whoever asks for friends is told of the list before the one that is stored."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if method == "GET" and asked_for(url, "friends") and status == 200:
            reply = {**reply, "friends_version": (reply["friends_version"] or 1) - 1 or None}
        return status, reply


class MissingInWindow(Fault):
    """Results are not written into the windows, which nobody is told."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and f"series/{SLUG}/scores:apply" in url:
            for result in reply.get("results", [reply]):
                kept = [one for one in result["seasons"] if "round" not in one["season_id"]]
                result["seasons"] = kept
        return status, reply


class InWrongWindow(Fault):
    """A receipt names a window that does not contain the result."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and f"series/{SLUG}/scores:apply" in url:
            for result in reply.get("results", [reply])[:1]:
                for one in result["seasons"]:
                    if "round" in one["season_id"]:
                        one["season_id"] = f"{SLUG}-round-99"
        return status, reply


class LostInWindow(Fault):
    """Windows have their receipts of results, and their boards show what was before."""

    def __init__(self, forward: Handle) -> None:
        super().__init__(forward)
        self.best: dict[tuple[str, str], int] = {}
        self.before: dict[tuple[str, str], int] = {}

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and f"series/{SLUG}/scores:apply" in url:
            for result in reply.get("results", [reply]):
                self.note(result)
        elif status == 200 and "leaderboard_version" in reply and SLUG in url:
            for row in rows_in(reply):
                key = (reply["season_id"], row["player_id"])
                row["score"] = self.before.get(key, row["score"])
        return status, reply

    def note(self, result: Json) -> None:
        """Keep what the best of a player in a window was before it was improved."""
        for receipt in result["seasons"]:
            key = (receipt["season_id"], receipt["player_id"])
            if "round" not in key[0] or receipt["outcome"] != "improved" or receipt["replayed"]:
                continue
            if key in self.best:
                self.before[key] = self.best[key]
            self.best[key] = receipt["best_score"]


class OneMoreInRange(Fault):
    """A distribution counts one player too many."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and asked_for(url, "distribution"):
            reply["buckets"][0]["count"] += 1
        return status, reply


class OneRankTooMany(Fault):
    """A score's rank is one too low."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and asked_for(url, "rank-of"):
            reply["rank"] += 1
        return status, reply


class OldProfileStored(Fault):
    """An older profile is answered as if it were stored."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        for result in reply.get("results", []) if url.endswith("/profiles") else []:
            result["outcome"] = "stored"
        return status, reply


FAULTS: dict[type[Fault], str] = {
    RegionalRankPlusOne: "rank",
    OnTwoBoards: "two_regions",
    MovesEarlier: "later_version",
    LostMove: "lost_move",
    MoveNotFed: "lost_move",
    MoveTwice: "change_repeated",
    OlderFriends: "friends",
    MissingInWindow: "season_missing",
    InWrongWindow: "season_extra",
    LostInWindow: "lost_event",
    OneMoreInRange: "distribution",
    OneRankTooMany: "rank_of",
    OldProfileStored: "profile",
}
