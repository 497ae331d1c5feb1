"""Each kind of reply against the model at the very same version. Pure."""

from collections.abc import Iterator
from typing import Any

from leaderboard.management.simulation.envelope import check_envelope, misses
from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.model import Model
from leaderboard.management.simulation.questions import Seen
from leaderboard.management.simulation.rows import (
    compare_positions,
    compare_rows,
    judge_row,
    judge_score,
    misshapen,
)
from leaderboard.management.simulation.standings import key_of
from leaderboard.management.simulation.timelines import (
    Pending,
    Timelines,
    pending_at,
)

Json = dict[str, Any]
ENTRY = frozenset({"rank", "player_id", "score"})
PLACED = ENTRY | {"position"}
PENDING = {"score", "score_version", "visible_in_version"}


class Checks:
    """The judge of replies about one season; the model must stand at the reply's version."""

    def __init__(self, season_id: str, model: Model, timelines: Timelines) -> None:
        """Judge by this model."""
        self._season_id = season_id
        self._model = model
        self._timelines = timelines
        self._by_kind = {
            "top": self._top,
            "rank": self._rank,
            "neighbors": self._neighbors,
            "page": self._page,
            "lookup": self._lookup,
        }

    def check(self, seen: Seen) -> list[Finding]:
        """Return everything that is wrong with a reply, status 200 or 404."""
        where = f"{seen.question.path} at version {seen.version}"
        try:
            return list(self._judge(seen, where))
        except (AttributeError, KeyError, TypeError) as odd:
            return [Finding("shape", f"{where}: {odd!r} in {str(seen.body)[:200]}")]

    def _judge(self, seen: Seen, where: str) -> Iterator[Finding]:
        if seen.status == 404:
            yield from self._not_ranked(seen, where)
            return
        faults = list(self._by_kind[seen.question.kind](seen, where))
        if all(fault.kind != "shape" for fault in faults):
            yield from check_envelope(seen, self._model, self._season_id, where)
        yield from faults

    def _top(self, seen: Seen, where: str) -> Iterator[Finding]:
        if faults := [*_shape(seen.body, {"entries"}, PLACED, where)]:
            yield from faults
            return
        expected = self._model.standings.rows(0, seen.question.size)
        yield from compare_rows(seen.body["entries"], expected, self._model, where)
        yield from compare_positions(seen.body["entries"], 0, where, counted=True)

    def _rank(self, seen: Seen, where: str) -> Iterator[Finding]:
        if faults := [*misses(seen.body, ENTRY | {"pending"}, where)]:
            yield from faults
            return
        row = (seen.body["rank"], seen.body["player_id"], seen.body["score"])
        if row[1] != seen.question.player:
            yield Finding("window", f"{where}: answered for {row[1]}")
        yield from judge_row(row, self._model, where)
        yield from self._pending(seen, where)

    def _neighbors(self, seen: Seen, where: str) -> Iterator[Finding]:
        body, radius, player = seen.body, seen.question.size, seen.question.player
        if faults := [*misses(body, frozenset({"above", "player", "below"}), where)]:
            yield from faults
            return
        entries = [*body["above"], body["player"], *body["below"]]
        if faults := [*misshapen(entries, ENTRY, where)]:
            yield from faults
            return
        if self._model.score(player) is None:
            yield judge_score(player, body["player"]["score"], self._model, where)
            return
        place = self._model.standings.place_of(player)
        expected = self._model.standings.rows(max(0, place - radius), place + radius + 1)
        yield from compare_rows(entries, expected, self._model, where)
        if len(body["above"]) != min(radius, place):
            yield Finding("window", f"{where}: {len(body['above'])} rows above place {place + 1}")

    def _page(self, seen: Seen, where: str) -> Iterator[Finding]:
        body, place = seen.body, seen.question.place
        if faults := [*_shape(body, {"entries", "next", "previous"}, PLACED, where)]:
            yield from faults
            return
        start, stop = self._bounds(seen)
        expected = self._model.standings.rows(start, stop)
        yield from compare_rows(body["entries"], expected, self._model, where)
        counted = {"around": False, "at_score": None}.get(place.side, place.counted or None)
        yield from compare_positions(body["entries"], start, where, counted=counted)
        ends = (body["previous"] is None, body["next"] is None)
        if ends != (start == 0, stop >= len(self._model.standings)):
            yield Finding(
                "cursor", f"{where}: rows {start + 1} to {stop}, previous, next null: {ends}"
            )

    def _bounds(self, seen: Seen) -> tuple[int, int]:
        standings, place, size = self._model.standings, seen.question.place, seen.question.size
        total = len(standings)
        match place.side:
            case "start":
                start = 0
            case "after":
                start = standings.place((place.key[0], place.key[1] + "\0"))
            case "before":
                stop = standings.place(place.key)
                return max(0, stop - size), stop
            case _:
                return self._window(seen)
        return start, min(total, start + size)

    def _window(self, seen: Seen) -> tuple[int, int]:
        """Where a page around something lies: it begins where the reply says, and contains it."""
        standings, place, size = self._model.standings, seen.question.place, seen.question.size
        wanted = standings.place((-place.score, ""))
        if place.side == "around" and self._model.score(place.player) is not None:
            wanted = standings.place_of(place.player)
        entries = seen.body["entries"]
        said = (
            standings.place(key_of(entries[0]["score"], entries[0]["player_id"]))
            if entries
            else wanted
        )
        start = min(max(said, wanted - size + 1, 0), wanted)
        return start, min(len(standings), start + size)

    def _lookup(self, seen: Seen, where: str) -> Iterator[Finding]:
        body = seen.body
        if faults := [*_shape(body, {"entries", "missing"}, ENTRY | {"group_rank"}, where)]:
            yield from faults
            return
        scores = self._model.standings.scores
        found = sorted(
            key_of(scores[name], name) for name in {*seen.question.asked} & scores.keys()
        )
        expected = [(self._model.standings.rank(-minus), name, -minus) for minus, name in found]
        yield from compare_rows(body["entries"], expected, self._model, where)
        yield from _group_ranks(body["entries"], where)
        missing = sorted({*seen.question.asked} - scores.keys())
        if sorted(body["missing"]) != missing:
            yield Finding("window", f"{where}: missing {body['missing'][:5]}, are {missing[:5]}")

    def _not_ranked(self, seen: Seen, where: str) -> Iterator[Finding]:
        player = seen.question.player
        if seen.body.get("code") != "player_not_ranked":
            yield Finding("status", f"{where}: 404 {seen.body.get('code')}")
        elif self._model.score(player) is not None:
            later = self._model.later_changes(player)
            if seen.exact or all(one.new is not None for one in later):
                yield judge_score(player, None, self._model, where)
        elif seen.question.kind == "rank":
            yield from self._pending(seen, where)

    def _pending(self, seen: Seen, where: str) -> Iterator[Finding]:
        if "pending" not in seen.body:
            yield Finding("shape", f"{where}: no member pending")
            return
        got = _pending_of(seen.body["pending"])
        if seen.question.pinned is not None:
            if got is not None:
                yield Finding("pinned_reply", f"{where}: pinned, with pending {got}")
            return
        allowed = self._may_be_pending(seen)
        if got not in allowed:
            yield Finding("pending", f"{where}: pending is {got}, may be {allowed}")

    def _may_be_pending(self, seen: Seen) -> list[Pending | None]:
        """What may be pending: of a 404 that names no version, a score to come must be."""
        player = seen.question.player
        moments = self._timelines.candidates(player, seen.sent, seen.arrived)
        if not moments:
            return [None]
        if not seen.exact:
            whole = [moment[2:] for moment in moments]
            return [*whole, *(None for moment in moments if moment.score is None)]
        allowed = [pending_at(seen.version, moment) for moment in moments]
        shown = self._model.score(player)
        return [*allowed, *(None for one in allowed if one is not None and one[0] == shown)]


def _pending_of(pending: Json | None) -> tuple[Any, ...] | None:
    if pending is None:
        return None
    if pending.keys() != PENDING:
        return tuple(sorted(pending))
    return (pending["score"], pending["score_version"], pending["visible_in_version"])


def _shape(body: Json, more: set[str], entry: frozenset[str], where: str) -> Iterator[Finding]:
    yield from misses(body, frozenset(more), where)
    yield from misshapen(body.get("entries", []), entry, where)


def _group_ranks(entries: list[Json], where: str) -> Iterator[Finding]:
    rank = 0
    for place, entry in enumerate(entries, 1):
        if place == 1 or entry["score"] != entries[place - 2]["score"]:
            rank = place
        if entry["group_rank"] != rank:
            yield Finding(
                "rank",
                f"{where}: {entry['player_id']} has group_rank {entry['group_rank']}, is {rank}",
            )
            return
