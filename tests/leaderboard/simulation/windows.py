"""A series in memory in front of the season `demo`: windows of seconds, regions and friends."""

import itertools
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.leaderboard.simulation.reference import Answer, Json, Reference

SLUG = "ladder"
REGIONS = ("EU", "US", "APAC")
LASTS, GRACE, KEPT = 3.0, 1.0, 2.0
ALL_TIME, ROUND = "all-time", "round"
IN_MEMORY = "2100-01-01T00:00:00Z"


class World:
    """The season `demo` and a series whose windows open, close, become final and go."""

    def __init__(self, demo: Reference, grace: float = GRACE) -> None:
        self.demo, self.grace = demo, grace
        self.writing = threading.RLock()
        self.profiles: dict[str, tuple[int, str | None]] = {}
        self.friends: dict[str, tuple[int, list[str]]] = {}
        self.seasons: dict[str, Reference] = {"demo": demo}
        self.rules: dict[str, str] = {}
        self.gone: set[str] = set()
        self.numbers = itertools.count(1)
        demo.friends_of = self.friends_of
        begin = datetime.now(UTC) - timedelta(seconds=LASTS / 2)
        self.make(ALL_TIME, SLUG + "-all-time", datetime(1970, 1, 1, tzinfo=UTC), 2**33)
        for _ in range(2):
            self.make(ROUND, f"{SLUG}-round-{next(self.numbers)}", begin, LASTS)
            begin += timedelta(seconds=LASTS)

    def make(self, rule: str, season_id: str, starts_at: datetime, seconds: float) -> None:
        season = Reference(season_id=season_id, regions=REGIONS)
        season.starts_at = starts_at
        season.cutoff_at = starts_at + timedelta(seconds=seconds)
        season.grace, season.late_policy = self.grace, "next"
        season.profile_of = lambda player: self.profiles.get(player, (0, None))[1]
        season.friends_of = self.friends_of
        self.rules[season_id] = rule
        self.seasons = {**self.seasons, season_id: season}

    def friends_of(self, player: str) -> tuple[int | None, list[str]]:
        version, friends = self.friends.get(player, (None, []))
        return version, friends

    @property
    def windows(self) -> list[Reference]:
        return [one for name, one in self.seasons.items() if name in self.rules]

    # By the clock.

    def publish(self) -> None:
        """Publish every season, make the next window, end what is over, drop what is old."""
        for season in self.seasons.values():
            if season.final_version is None and season.status != "scheduled":
                season.publish()
        with self.writing:
            now, last = datetime.now(UTC), self.windows[-1]
            if last.starts_at <= now:
                self.make(ROUND, f"{SLUG}-round-{next(self.numbers)}", last.cutoff_at, LASTS)
            for season in self.windows:
                over = now - season.cutoff_at - timedelta(seconds=self.grace)
                if over > timedelta(0) and season.final_version is None:
                    season.publish()
                    season.final_version = season.current
                elif over > timedelta(seconds=KEPT):
                    self.gone.add(season.season_id)

    # Answering.

    def handle(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        path = urlsplit(url).path
        for begins, answer in self.routes():
            if path.startswith(begins):
                return answer(path.removeprefix(begins), body or {})
        season_id = path.split("/seasons/")[-1].split("/")[0]
        if season_id in self.gone:
            return 410, {"code": "season_retired"}
        season = self.seasons.get(season_id)
        if season is None:
            return 404, {"code": "season_not_found"}
        if method != "POST" or "/internal/" not in path:
            return season.handle(method, url, headers, body)
        with self.writing:
            return self.write(season, url, headers, body or {})

    def routes(self) -> list[tuple[str, Callable[[str, Json], Answer]]]:
        return [
            (f"/v1/series/{SLUG}", self.series),
            (f"/internal/v1/series/{SLUG}/scores:apply", self.apply),
            ("/internal/v1/players/profiles", self.put_profiles),
            ("/internal/v1/players/", self.put),
        ]

    def series(self, _: str, body: Json) -> Answer:
        listed: dict[str, list[Json]] = {"open": [], "scheduled": [], "past": []}
        for season in self.windows:
            listed.get(season.status, listed["past"]).append(
                {
                    "season_id": season.season_id,
                    "window": self.rules[season.season_id],
                    "status": season.status,
                    "starts_at": season.starts_at.isoformat(),
                    "cutoff_at": season.cutoff_at.isoformat(),
                    "final_version": season.final_version,
                    "retired_at": IN_MEMORY if season.season_id in self.gone else None,
                }
            )
        return 200, {
            "series_id": SLUG,
            "current": listed["open"],
            "upcoming": listed["scheduled"],
            "past": listed["past"][::-1][:100],
        }

    # Writing results.

    def write(self, season: Reference, url: str, headers: Any, body: Json) -> Answer:
        """Write into one season; of what comes too late it makes what its policy says."""
        if season.final_version is not None:
            return 409, {"code": "season_final"}
        goal = self.goal(season, body) if "best_score" in body else None
        if goal is None or body["event_id"] in season.events:
            return season.handle("POST", url, headers, body)
        with season.lock:
            receipt = season.receipt(body, "late_moved") | {"moved_to": goal.season_id}
            season.events[body["event_id"]] = (body, receipt)
        with goal.lock:
            goal.take(body)
        return 200, receipt

    def goal(self, season: Reference, event: Json) -> Reference | None:
        rule = self.rules.get(season.season_id)
        if rule is None or contains(season, event):
            return None
        return next(
            (
                other
                for other in self.windows
                if self.rules[other.season_id] == rule and contains(other, event)
            ),
            None,
        )

    def apply(self, _: str, body: Json) -> Answer:
        with self.writing:
            events = body.get("events", [body])
            parts = [one for one in self.windows if one.season_id not in self.gone]
            parts = [one for one in parts if any(contains(one, event) for event in events)]
            told = self.told(events, parts)
        if "events" in body:
            return 200, {"series_id": SLUG, "results": told}
        if told[0]["outcome"] == "conflict":
            return 409, {"code": "event_conflict"}
        return 200, told[0]

    def told(self, events: list[Json], parts: list[Reference]) -> list[Json]:
        taken: dict[str, Json] = {}
        for event in events:
            known = [one.events[event["event_id"]][0] for one in parts if knows(one, event)]
            if all(content == event for content in known):
                taken.setdefault(event["event_id"], event)
        found = [self.receipts(part, list(taken.values())) for part in parts]
        met: set[str] = set()
        return [self.told_of(event, taken, parts, found, met) for event in events]

    def receipts(self, season: Reference, events: list[Json]) -> dict[str, Json]:
        """Return what one season makes of the events of a batch, in order of version."""
        with season.lock:
            told = {one["event_id"]: season.take(one) for one in events if knows(season, one)}
            takes = season.final_version is None
            new = [one for one in events if takes and contains(season, one)]
            new = [one for one in new if one["event_id"] not in told]
            for event in sorted(new, key=lambda one: int(one["score_version"])):
                told[event["event_id"]] = season.take(event)
        return told

    def told_of(
        self,
        event: Json,
        taken: dict[str, Json],
        parts: list[Reference],
        found: list[dict[str, Json]],
        met: set[str],
    ) -> Json:
        event_id = event["event_id"]
        told = {"event_id": event_id, "player_id": event["player_id"]}
        if event != taken.get(event_id):
            return {**told, "outcome": "conflict", "seasons": []}
        again = {"replayed": True} if event_id in met else {}
        met.add(event_id)
        seasons = [
            {**receipts[event_id], **again, "season_id": part.season_id}
            for part, receipts in zip(parts, found, strict=True)
            if event_id in receipts
        ]
        outcome = "recorded" if seasons else "no_open_season"
        return {**told, "outcome": outcome, "seasons": seasons}

    # Profiles and friends.

    def put(self, path: str, body: Json) -> Answer:
        player, what = path.rsplit("/", 1)
        with self.writing:
            if what == "friends":
                return self.put_friends(unquote(player), body)
            profile = {"player_id": unquote(player), **body}
            self.store([profile])
            result = self.profile(profile)
        if result.pop("outcome") == "conflict":
            return 409, {"code": "profile_conflict"}
        return 200, result

    def put_profiles(self, _: str, body: Json) -> Answer:
        with self.writing:
            self.store(body["profiles"])
            return 200, {"results": [self.profile(one) for one in body["profiles"]]}

    def store(self, profiles: list[Json]) -> None:
        newest: dict[str, Json] = {}
        for one in profiles:
            before = newest.setdefault(one["player_id"], one)
            if one["profile_version"] > before["profile_version"]:
                newest[one["player_id"]] = one
        for player, one in newest.items():
            if one["profile_version"] > self.profiles.get(player, (0, None))[0]:
                self.profiles[player] = (one["profile_version"], one["region"])
                self.move(player, one["region"])

    def move(self, player: str, region: str | None) -> None:
        for season in self.windows:
            with season.lock:
                season.move(player, region)

    def profile(self, sent: Json) -> Json:
        version, region = self.profiles[sent["player_id"]]
        same = (version, region) == (sent["profile_version"], sent["region"])
        return {
            "player_id": sent["player_id"],
            "outcome": "stored" if same else "conflict",
            "region": region,
            "profile_version": version,
            "updated_at": IN_MEMORY,
        }

    def put_friends(self, player: str, body: Json) -> Answer:
        version, friends = self.friends.get(player, (0, []))
        given = [one for one in dict.fromkeys(body["friend_ids"]) if one != player]
        if body["friends_version"] > version:
            version, friends = self.friends[player] = (body["friends_version"], given)
        if (version, set(friends)) != (body["friends_version"], set(given)):
            return 409, {"code": "friends_conflict"}
        return 200, {
            "player_id": player,
            "friend_ids": friends,
            "friends_version": version,
            "updated_at": IN_MEMORY,
        }


def contains(season: Reference, event: Json) -> bool:
    return season.starts_at <= datetime.fromisoformat(event["completed_at"]) < season.cutoff_at


def knows(season: Reference, event: Json) -> bool:
    return event["event_id"] in season.events
