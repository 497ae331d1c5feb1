"""A leaderboard server in memory that recomputes everything plainly, for the simulation to meet.

It shares no code with the simulation: what both agree on was read twice from the contract.
"""

import base64
import json
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

Json = dict[str, Any]
Answer = tuple[int, Json]

PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


class Refused(Exception):
    def __init__(self, status: int, code: str, **more: Any) -> None:
        super().__init__(code)
        self.answer = (status, {"status": status, "code": code, "detail": code, **more})


class Reference:
    """One season. `publish` makes a version of all that was accepted."""

    def __init__(
        self,
        scores: dict[str, int] | None = None,
        high: int = 1_000_000,
        season_id: str = "demo",
        regions: Sequence[str] = (),
    ) -> None:
        self.high, self.season_id, self.regions = high, season_id, list(regions)
        self.lock = threading.Condition()
        self.starts_at = datetime.now(UTC) - timedelta(days=1)
        self.cutoff_at = self.starts_at + timedelta(days=90)
        self.grace, self.late_policy = 60.0, "reject"
        self.final_version: int | None = None
        self.profile_of: Callable[[str], str | None] = lambda player: None
        self.friends_of: Callable[[str], tuple[int | None, list[str]]] = lambda player: (None, [])
        self.plays_for: dict[str, str | None] = {}
        self.placed: dict[int, dict[str, str | None]] = {10: {}}
        self.region: str | None = None
        self.given = dict(scores or {})
        self.events: dict[str, tuple[Json, Json]] = {}
        self.counting: dict[str, list[Json]] = {}
        self.versions_of: dict[str, int] = dict.fromkeys(self.given, 1)
        self.changed_in: dict[str, int] = {}
        self.changes: list[Json] = []
        self.boards: dict[int, dict[str, int]] = {10: dict(self.given)}
        self.sorted: dict[tuple[int, str | None], list[Json]] = {}
        self.as_of: dict[int, str] = {}
        self.current, self.epoch, self.pinned = 10, 11, False
        self.publish()

    # Writing.

    def fold(self, player: str) -> tuple[int | None, bool]:
        best, removed = self.given.get(player), False
        for event in sorted(self.counting.get(player, []), key=lambda one: one["score_version"]):
            if "best_score" in event:
                best = max(event["best_score"], event["best_score"] if best is None else best)
            elif event["corrected_score"] is None:
                removed = True
            else:
                best, removed = event["corrected_score"], False
        return best, removed

    def shown(self, player: str) -> int | None:
        best, removed = self.fold(player)
        return None if removed else best

    def take(self, event: Json) -> Json:
        """Accept one event, and return its receipt."""
        if event["event_id"] in self.events:
            content, receipt = self.events[event["event_id"]]
            if content == event:
                return {**receipt, "replayed": True}
            return self.receipt(event, "conflict")
        before, shown = self.fold(event["player_id"]), self.shown(event["player_id"])
        receipt = self.accept(event, before, shown)
        self.events[event["event_id"]] = (event, receipt)
        return receipt

    def accept(self, event: Json, before: tuple[int | None, bool], shown: int | None) -> Json:
        player = event["player_id"]
        if event.get("completed_at") and (untimely := self.untimely(event)):
            return self.receipt(event, untimely)
        if event["score_version"] <= self.versions_of.get(player, 0):
            return self.receipt(event, "stale_version")
        self.versions_of[player] = event["score_version"]
        if player not in self.counting and player not in self.given:
            self.plays_for[player] = self.board_of(self.profile_of(player))
        counting = self.counting.setdefault(player, [])
        if "void_event_id" in event:
            counting[:] = [one for one in counting if one["event_id"] != event["void_event_id"]]
        else:
            counting.append(event)
        outcome = "corrected"
        if "best_score" in event:
            outcome = "not_improved" if self.fold(player)[0] == before[0] else "improved"
        visible = self.note_change(event, shown, self.shown(player))
        return self.receipt(event, outcome, visible)

    def untimely(self, event: Json) -> str | None:
        """Return the outcome of a result that does not count by its time."""
        completed = datetime.fromisoformat(event["completed_at"])
        if completed < self.starts_at:
            return "before_start"
        over = datetime.now(UTC) >= self.cutoff_at + timedelta(seconds=self.grace)
        return "late_rejected" if over or completed >= self.cutoff_at else None

    def board_of(self, region: str | None) -> str | None:
        return region if region in self.regions else None

    def move(self, player: str, region: str | None) -> None:
        """Let a player who has a best play for another region."""
        region = self.board_of(region)
        known = player in self.counting or player in self.given
        if not known or self.final_version or self.plays_for.get(player) == region:
            return
        self.plays_for[player] = region
        shown = self.shown(player)
        if shown is not None:
            self.add_change(player, shown, shown, f"moved-{len(self.changes)}", "region")

    def note_change(self, event: Json, old: int | None, new: int | None) -> int | None:
        if old == new:
            return None
        kind = "void" if "void_event_id" in event else "correction"
        kind = "result" if "best_score" in event else kind
        self.add_change(event["player_id"], old, new, event["event_id"], kind)
        return self.epoch

    def add_change(
        self, player: str, old: int | None, new: int | None, event_id: str, kind: str
    ) -> None:
        self.changed_in[player] = self.epoch
        self.changes.append(
            {
                "season_id": self.season_id,
                "player_id": player,
                "old_score": old,
                "new_score": new,
                "score_version": self.versions_of[player],
                "event_id": event_id,
                "kind": kind,
                "region": self.plays_for.get(player),
                "committed_at": datetime.now(UTC).isoformat(),
                "version": self.epoch,
            }
        )

    def receipt(self, event: Json, outcome: str, visible: int | None = None) -> Json:
        best, removed = self.fold(event["player_id"])
        return {
            "event_id": event["event_id"],
            "player_id": event["player_id"],
            "outcome": outcome,
            "replayed": False,
            "best_score": None if removed and "best_score" not in event else best,
            "score_version": self.versions_of.get(event["player_id"]),
            "visible_in_version": visible,
        }

    def apply(self, body: Json) -> Answer:
        if "events" not in body:
            receipt = self.take(body)
            if receipt["outcome"] == "conflict":
                raise Refused(409, "event_conflict")
            return 200, receipt
        order = sorted(
            enumerate(body["events"]), key=lambda one: (one[1]["score_version"], one[0])
        )
        receipts: dict[int, Json] = {}
        first: dict[str, int] = {}
        for at, event in enumerate(body["events"]):
            first.setdefault(event["event_id"], at)
        for at, event in order:
            if first[event["event_id"]] == at:
                receipts[at] = self.take(event)
        for at, event in order:
            if at not in receipts:
                receipts[at] = self.take(event)
        results = [receipts[at] for at in range(len(order))]
        return 200, {
            "season_id": self.season_id,
            "leaderboard_version": self.current,
            "results": results,
        }

    # Publishing.

    def publish(self) -> None:
        with self.lock:
            if any(change["version"] > self.current for change in self.changes[-1:]):
                self.current = self.epoch
                self.boards[self.current] = {
                    player: score
                    for player in self.given.keys() | self.counting.keys()
                    if (score := self.shown(player)) is not None
                }
                self.placed[self.current] = dict(self.plays_for)
            self.epoch += 1
            self.as_of[self.current] = datetime.now(UTC).isoformat(timespec="microseconds")
            self.sealed, self.sealed_at = self.as_of[self.current], time.monotonic()
            self.lock.notify_all()

    # Reading.

    def handle(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
        """Answer a request."""
        path = urlsplit(url).path
        query = {
            name: values[0]
            for name, values in parse_qs(urlsplit(url).query, keep_blank_values=True).items()
        }
        with self.lock:
            try:
                return self.route(path, query, headers, body)
            except Refused as refused:
                return refused.answer

    def route(self, path: str, query: dict[str, str], headers: Any, body: Json | None) -> Answer:
        season, internal = (
            f"/v1/seasons/{self.season_id}",
            f"/internal/v1/seasons/{self.season_id}",
        )
        board, players = f"{season}/leaderboard/", f"{season}/players/"
        if path == season:
            return 200, self.detail()
        if path in (f"{internal}/scores:apply", f"{internal}/corrections"):
            assert body is not None
            return self.apply(body)
        if path == f"{internal}/changes":
            return self.feed(int(query.get("after", 0)), int(query["limit"]))
        version, self.pinned = self.version(query, headers)
        self.region = query.get("region")
        if self.region is not None and self.region not in self.regions:
            raise Refused(404, "region_not_found")
        if path.startswith(board):
            kind, player = path.removeprefix(board), ""
        elif path.startswith(players):
            player, kind = path.removeprefix(players).split("/")
        else:
            raise Refused(404, "not_found")
        read = getattr(self, f"read_{kind.replace('-', '_')}")
        reply = read(version, query, body, unquote(player))
        reply = {**self.envelope(version, pinned=self.pinned), **reply}
        if kind == "rank":
            reply["pending"] = self.pending(unquote(player), version)
        return 200, reply

    def version(self, query: dict[str, str], headers: Any) -> tuple[int, bool]:
        if "cursor" in query:
            return read_cursor(query["cursor"])["version"], True
        if query.get("version") == "final":
            if self.final_version is None:
                raise Refused(409, "not_final")
            return self.final_version, True
        if "version" in query:
            if int(query["version"]) not in self.boards:
                raise Refused(404, "version_unknown")
            return int(query["version"]), True
        least = int(query.get("min_version", 0))
        if headers.get("Prefer") and not self.lock.wait_for(lambda: self.current >= least, 5):
            raise Refused(409, "not_published_yet")
        return self.current, False

    @property
    def status(self) -> str:
        now = datetime.now(UTC)
        if self.final_version is not None:
            return "final"
        if now < self.starts_at:
            return "scheduled"
        return "open" if now < self.cutoff_at else "closing"

    def detail(self) -> Json:
        return {
            "season_id": self.season_id,
            "name": "Demo",
            "status": self.status,
            "starts_at": self.starts_at.isoformat(),
            "cutoff_at": self.cutoff_at.isoformat(),
            "grace_seconds": self.grace,
            "late_policy": self.late_policy,
            "tie_rule": "shared",
            "order": "desc",
            "keep": "best",
            "score_min": 0,
            "score_max": self.high,
            "regions": self.regions,
            "current_version": self.current,
            "as_of": self.sealed,
        }

    def envelope(self, version: int, *, pinned: bool) -> Json:
        final = self.final_version == version
        age = round(time.monotonic() - self.sealed_at, 3)
        return {
            "season_id": self.season_id,
            "region": self.region,
            "leaderboard_version": version,
            "as_of": f"sealed {version}" if pinned else self.sealed,
            "age_seconds": None if pinned else age,
            "stale": None if pinned else age > 5 and not final,
            "final": final,
            "corrects": None,
            "rank_method": "competition",
            "total_players": len(self.rows(version)),
        }

    def pending(self, player: str, version: int) -> Json | None:
        if self.pinned or self.changed_in.get(player, 0) <= version:
            return None
        elsewhere = self.region is not None and self.plays_for.get(player) != self.region
        if elsewhere and self.placed[version].get(player) != self.region:
            return None
        return {
            "score": None if elsewhere else self.shown(player),
            "score_version": self.versions_of[player],
            "visible_in_version": self.changed_in[player],
        }

    def on_board(self, version: int) -> dict[str, int]:
        board, placed = self.boards[version], self.placed[version]
        if self.region is None:
            return board
        return {name: score for name, score in board.items() if placed.get(name) == self.region}

    def rows(self, version: int) -> list[Json]:
        key = (version, self.region)
        if key not in self.sorted:
            self.sorted[key] = rows_of(self.on_board(version))
        return self.sorted[key]

    def place(self, version: int, player: str) -> int:
        board = self.on_board(version)
        if player not in board:
            raise Refused(404, "player_not_ranked", pending=self.pending(player, version))
        rows, score = self.rows(version), board[player]
        return bisect_left(
            rows, (-score, player), key=lambda row: (-row["score"], row["player_id"])
        )

    def read_top(self, version: int, query: dict[str, str], *_: Any) -> Json:
        return {
            "entries": [dict(row) for row in self.rows(version)[: number(query, "limit", 100)]]
        }

    def read_rank(self, version: int, query: dict[str, str], body: Any, player: str) -> Json:
        return entry(self.rows(version)[self.place(version, player)])

    def read_neighbors(self, version: int, query: dict[str, str], body: Any, player: str) -> Json:
        radius = number(query, "radius", 50)
        place, rows = self.place(version, player), self.rows(version)
        return {
            "above": [entry(row) for row in rows[max(0, place - radius) : place]],
            "player": entry(rows[place]),
            "below": [entry(row) for row in rows[place + 1 : place + 1 + radius]],
        }

    def read_lookup(self, version: int, query: Any, body: Json, player: str) -> Json:
        asked = set(body["player_ids"])
        found = [entry(row) for row in self.rows(version) if row["player_id"] in asked]
        for row in found:
            row["group_rank"] = 1 + sum(other["score"] > row["score"] for other in found)
        missing = sorted(asked - {row["player_id"] for row in found})
        return {"entries": found, "missing": missing}

    def read_friends(self, version: int, query: Any, body: Any, player: str) -> Json:
        number, friends = self.friends_of(player)
        asked = {"player_ids": [*friends, player]}
        return {"friends_version": number, **self.read_lookup(version, query, asked, player)}

    def read_rank_of(self, version: int, query: dict[str, str], *_: Any) -> Json:
        score, rows = int(query["score"]), self.rows(version)
        above = bisect_left(rows, -score, key=lambda row: -row["score"])
        below = len(rows) - bisect_right(rows, -score, key=lambda row: -row["score"])
        return {
            "score": score,
            "rank": 1 + above,
            "players_below": below,
            "share_below": below / len(rows) if rows else 0.0,
        }

    def read_distribution(self, version: int, query: dict[str, str], *_: Any) -> Json:
        scores = [row["score"] for row in reversed(self.rows(version))]
        count = min(int(query["buckets"]), self.high + 1)
        edges = [(self.high + 1) * at // count for at in range(count + 1)]
        places = [bisect_left(scores, edge) for edge in edges]
        return {
            "buckets": [
                {"from": edges[at], "to": edges[at + 1] - 1, "count": places[at + 1] - places[at]}
                for at in range(count)
            ],
            "percentiles": {f"p{share}": percentile(scores, share) for share in PERCENTILES},
        }

    def read_page(self, version: int, query: dict[str, str], *_: Any) -> Json:
        limit, rows = number(query, "limit", 100), self.rows(version)
        start, counted, stop = 0, True, None
        if "cursor" in query:
            cursor = read_cursor(query["cursor"])
            counted = cursor["counted"]
            start = cursor["at"] if cursor["forward"] else max(0, cursor["at"] - limit)
            stop = None if cursor["forward"] else cursor["at"]
        elif "around_player" in query:
            start, counted = self.place(version, query["around_player"]), False
        elif "at_score" in query:
            start = sum(row["score"] > int(query["at_score"]) for row in rows)
        stop = min(len(rows), start + limit if stop is None else stop)
        entries = [
            {**row, "position": row["position"] if counted else None} for row in rows[start:stop]
        ]
        mark = {"version": version, "counted": counted}
        ahead = write_cursor({**mark, "at": stop, "forward": True})
        back = write_cursor({**mark, "at": start, "forward": False})
        return {
            "entries": entries,
            "next": ahead if stop < len(rows) else None,
            "previous": back if start > 0 else None,
        }

    def feed(self, after: int, limit: int) -> Answer:
        ready = [change for change in self.changes[after:] if change["version"] <= self.current]
        changes = ready[:limit]
        return 200, {"changes": changes, "next": str(after + len(changes))}


def rows_of(scores: dict[str, int]) -> list[Json]:
    board = sorted(scores.items(), key=lambda one: (-one[1], one[0]))
    first = {score: place for place, (_, score) in reversed(list(enumerate(board, 1)))}
    return [
        {"rank": first[score], "player_id": player, "score": score, "position": place}
        for place, (player, score) in enumerate(board, 1)
    ]


def percentile(scores: list[int], share: int) -> int | None:
    enough = next((at for at in range(len(scores) + 1) if at * 100 >= share * len(scores)), 0)
    return scores[enough - 1] if scores else None


def entry(row: Json) -> Json:
    return {name: row[name] for name in ("rank", "player_id", "score")}


def number(query: dict[str, str], name: str, most: int) -> int:
    text = query[name]
    if not text.isdigit() or text[0] == "0" or len(text) > 3 or int(text) > most:
        raise Refused(400, "invalid_parameter")
    return int(text)


def read_cursor(text: str) -> Json:
    found: Json = json.loads(base64.urlsafe_b64decode(text))
    return found


def write_cursor(content: Json) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode()
