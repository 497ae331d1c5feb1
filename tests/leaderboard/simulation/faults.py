"""Faults planted between a client and a server: each spoils some replies, all else passes."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from tests.leaderboard.simulation.reference import Answer, Json
from tests.leaderboard.simulation.serving import Handle


class Fault:
    """
    Passes everything on. `asked` counts the board reads; the first ones stay sound.

    `SECONDS`: how long to play in a series until it shows.
    """

    SOUND, SECONDS = 0, 2.5

    def __init__(self, forward: Handle) -> None:
        self.forward = forward
        self.asked = 0

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and "leaderboard_version" in reply and "results" not in reply:
            self.asked += 1
            if self.asked > self.SOUND:
                self.spoil(urlsplit(url).path.rsplit("/", 1)[-1], reply)
        return status, reply

    def spoil(self, kind: str, reply: Json) -> None:
        """Change a good reply to a board read."""


def rows_in(reply: Json) -> list[Json]:
    lists = [reply.get(name, []) for name in ("entries", "above", "below")]
    alone = [reply["player"]] if "player" in reply else [reply] if "rank" in reply else []
    return [row for rows in lists for row in rows] + alone


class RankPlusOne(Fault):
    """One player in 10,000 is one rank too low, wherever the player is shown."""

    victim = "old-04242"

    def spoil(self, kind: str, reply: Json) -> None:
        for row in rows_in(reply):
            if row["player_id"] == self.victim:
                row["rank"] += 1


class RankPlusOneLater(RankPlusOne):
    """The same, but the walk at the beginning still sees a sound board."""

    SOUND = 300


class NextWindow(Fault):
    """Windows of a new version go out under the number of the one before."""

    before = last = 0

    def spoil(self, kind: str, reply: Json) -> None:
        version = reply["leaderboard_version"]
        if version != self.last:
            self.before, self.last = self.last, version
        if kind == "neighbors" and self.before and reply["age_seconds"] is not None:
            reply["leaderboard_version"] = self.before


class LostEvent(Fault):
    """One improving result gets its receipt, and is not applied."""

    receipt: Json | None = None

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if url.endswith("scores:apply") and body and "events" not in body:
            if self.receipt and self.receipt["event_id"] == body["event_id"]:
                return 200, {**self.receipt, "replayed": True}
            if self.receipt is None and (forged := self.forge(body)):
                self.receipt = forged
                return 200, forged
        return super().__call__(method, url, headers, body)

    def forge(self, event: Json) -> Json | None:
        path = f"/v1/seasons/demo/players/{event['player_id']}/rank"
        status, rank = self.forward("GET", path, {}, None)
        if status != 200 or rank["pending"] or event["best_score"] <= rank["score"]:
            return None
        return {
            "event_id": event["event_id"],
            "player_id": event["player_id"],
            "outcome": "improved",
            "replayed": False,
            "best_score": event["best_score"],
            "score_version": event["score_version"],
            "visible_in_version": rank["leaderboard_version"] + 1,
        }


class DuplicatedRow(Fault):
    """A page shows one player in place of the next one too."""

    SOUND = 300

    def spoil(self, kind: str, reply: Json) -> None:
        if kind == "page" and len(reply["entries"]) > 5:
            reply["entries"][3] = dict(reply["entries"][2])


class SequentialTie(Fault):
    """Tied players have ranks one after the other in the top list."""

    def spoil(self, kind: str, reply: Json) -> None:
        if kind == "top":
            for place, row in enumerate(reply["entries"], 1):
                row["rank"] = place


class StaleTotal(Fault):
    """The total stays what it was."""

    total = 0

    def spoil(self, kind: str, reply: Json) -> None:
        self.total = self.total or reply["total_players"]
        if kind == "rank":
            reply["total_players"] = self.total


class Later(Fault):
    """Reads asked for at least some version get the one that is there."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        return super().__call__(method, url.replace("min_version", "min_versio"), {}, body)


class PendingForgotten(Fault):
    """An accepted result is never pending."""

    def spoil(self, kind: str, reply: Json) -> None:
        if kind == "rank":
            reply["pending"] = None


class PinChanges(Fault):
    """A pinned reply has the time of asking in it."""

    def spoil(self, kind: str, reply: Json) -> None:
        if reply["age_seconds"] is None:
            reply["as_of"] = f"asked {self.asked}"


class CursorSkips(Fault):
    """A page by cursor misses its first row."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = super().__call__(method, url, headers, body)
        if status == 200 and "cursor=" in url and self.asked > 300:
            del reply["entries"][0]
        return status, reply


class Receipts(Fault):
    """Spoils receipts."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and url.endswith("scores:apply"):
            for event, receipt in zip(
                (body or {}).get("events", [body]), reply.get("results", [reply]), strict=True
            ):
                self.spoil_receipt(event, receipt)
        return status, reply

    def spoil_receipt(self, event: Json, receipt: Json) -> None:
        """Change a good receipt."""


class Echo(Receipts):
    """A stale event is told what it sent, not what is stored."""

    def spoil_receipt(self, event: Json, receipt: Json) -> None:
        if receipt["outcome"] == "stale_version":
            receipt["score_version"] = event["score_version"] - 1


class ReplayHidden(Receipts):
    """A repeated event is taken for a new one."""

    def spoil_receipt(self, event: Json, receipt: Json) -> None:
        receipt["replayed"] = False


class VisibleTooEarly(Receipts):
    """A receipt names a version that was there before the event."""

    def spoil_receipt(self, event: Json, receipt: Json) -> None:
        if receipt["visible_in_version"]:
            receipt["visible_in_version"] = 1


class Changes(Fault):
    """Spoils the changes feed."""

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        status, reply = self.forward(method, url, headers, body)
        if status == 200 and reply.get("changes"):
            self.spoil_changes(reply["changes"])
        return status, reply

    def spoil_changes(self, changes: list[Json]) -> None:
        """Change a good page of the feed."""


class ChangeTwice(Changes):
    """A change comes twice."""

    def spoil_changes(self, changes: list[Json]) -> None:
        changes.append(changes[-1])


class ChangeMissing(Changes):
    """The first change of a page never comes."""

    def spoil_changes(self, changes: list[Json]) -> None:
        del changes[0]


class ChangeWrong(Changes):
    """A change has the old score wrong."""

    def spoil_changes(self, changes: list[Json]) -> None:
        changes[0] = {**changes[0], "old_score": 1}


class Foreign(Fault):
    """Somebody else writes too."""

    events = 0

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if method == "GET" and "/rank" in url:
            self.events += 1
            event = {
                "event_id": f"foreign-{self.events}",
                "match_id": "foreign",
                "player_id": f"stranger-{self.events}",
                "best_score": 1,
                "score_version": 1,
                "completed_at": datetime.now(UTC).isoformat(),
            }
            self.forward("POST", "/internal/v1/seasons/demo/scores:apply", {}, event)
        return self.forward(method, url, headers, body)


class Weather(Fault):
    """No fault: a server that is away now and then, before or after it did what it was asked."""

    requests = 0

    def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        self.requests += 1
        if method == "POST" and self.requests % 7 == 0:
            return 503, {"code": "unavailable"}
        answer = self.forward(method, url, headers, body)
        return (0, {}) if method == "POST" and self.requests % 11 == 0 else answer


FAULTS: dict[type[Fault], str] = {
    RankPlusOne: "rank",
    RankPlusOneLater: "rank",
    NextWindow: "later_version",
    LostEvent: "lost_event",
    DuplicatedRow: "duplicated_row",
    SequentialTie: "tie_rank",
    StaleTotal: "total",
    Later: "min_version",
    PendingForgotten: "pending",
    PinChanges: "pinned_reply",
    CursorSkips: "missing_player",
    Echo: "receipt",
    ReplayHidden: "receipt",
    VisibleTooEarly: "receipt_version",
    ChangeTwice: "change_repeated",
    ChangeMissing: "change_missing",
    ChangeWrong: "change",
    Foreign: "foreign_change",
}
Plant = Callable[[Handle], Handle]
