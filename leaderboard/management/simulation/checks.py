"""Each kind of reply against the model at the very same version. Pure."""

from collections.abc import Iterator
from typing import Any

from leaderboard.management.simulation.envelope import check_envelope, misses
from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.model import Board, Model
from leaderboard.management.simulation.questions import Seen
from leaderboard.management.simulation.rows import (
    compare_positions,
    compare_rows,
    judge_row,
    judge_score,
    misshapen,
)
from leaderboard.management.simulation.season import Season
from leaderboard.management.simulation.spread import (
    DISTRIBUTION,
    RANK_OF,
    judge_distribution,
    judge_rank_of,
)
from leaderboard.management.simulation.standings import key_of
from leaderboard.management.simulation.timelines import (
    Moment,
    Pending,
    Timelines,
    pending_at,
)

Json = dict[str, Any]
ENTRY = frozenset({"rank", "player_id", "score"})
PLACED = ENTRY | {"position"}
GROUPED = ENTRY | {"group_rank"}
PENDING = {"score", "score_version", "visible_in_version"}


class Checks:
    """The judge of replies about one season; the model must stand at the reply's version."""

    def __init__(
        self, season: Season, model: Model, timelines: Timelines, friendships: Friendships
    ) -> None:
        """Judge by this model."""
        self._season = season
        self._model = model
        self._timelines = timelines
        self._friendships = friendships
        self._by_kind = {
            "top": self._top,
            "rank": self._rank,
            "neighbors": self._neighbors,
            "page": self._page,
            "lookup": self._lookup,
            "friends": self._friends,
            "rank-of": self._rank_of,
            "distribution": self._distribution,
        }

    def check(self, seen: Seen) -> list[Finding]:
        """Return everything that is wrong with a reply, status 200 or 404."""
        where = f"{seen.question.path} at version {seen.version}"
        try:
            return list(self._judge(seen, where))
        except (AttributeError, KeyError, TypeError) as odd:
            return [Finding("shape", f"{where}: {odd!r} in {str(seen.body)[:200]}")]

    def _judge(self, seen: Seen, where: str) -> Iterator[Finding]:
        board = self._model.board(seen.question.region)
        if seen.status == 404:
            yield from self._not_ranked(seen, board, where)
            return
        faults = list(self._by_kind[seen.question.kind](seen, board, where))
        if all(fault.kind != "shape" for fault in faults):
            yield from check_envelope(seen, board, self._season.season_id, where)
        yield from faults

    def _top(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        if faults := [*_shape(seen.body, {"entries"}, PLACED, where)]:
            yield from faults
            return
        expected = board.standings.rows(0, seen.question.size)
        yield from compare_rows(seen.body["entries"], expected, board, where)
        yield from compare_positions(seen.body["entries"], 0, where, counted=True)

    def _rank(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        if faults := [*misses(seen.body, ENTRY | {"pending"}, where)]:
            yield from faults
            return
        row = (seen.body["rank"], seen.body["player_id"], seen.body["score"])
        if row[1] != seen.question.player:
            yield Finding("window", f"{where}: answered for {row[1]}")
        yield from judge_row(row, board, where)
        yield from self._pending(seen, board, where)

    def _neighbors(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        body, radius, player = seen.body, seen.question.size, seen.question.player
        if faults := [*misses(body, frozenset({"above", "player", "below"}), where)]:
            yield from faults
            return
        entries = [*body["above"], body["player"], *body["below"]]
        if faults := [*misshapen(entries, ENTRY, where)]:
            yield from faults
            return
        if board.score(player) is None:
            yield judge_score(player, body["player"]["score"], board, where)
            return
        place = board.standings.place_of(player)
        expected = board.standings.rows(max(0, place - radius), place + radius + 1)
        yield from compare_rows(entries, expected, board, where)
        if len(body["above"]) != min(radius, place):
            yield Finding("window", f"{where}: {len(body['above'])} rows above place {place + 1}")

    def _page(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        body, place = seen.body, seen.question.place
        if faults := [*_shape(body, {"entries", "next", "previous"}, PLACED, where)]:
            yield from faults
            return
        start, stop = _bounds(seen, board)
        expected = board.standings.rows(start, stop)
        yield from compare_rows(body["entries"], expected, board, where)
        counted = {"around": False, "at_score": None}.get(place.side, place.counted or None)
        yield from compare_positions(body["entries"], start, where, counted=counted)
        ends = (body["previous"] is None, body["next"] is None)
        if ends != (start == 0, stop >= len(board.standings)):
            yield Finding(
                "cursor", f"{where}: rows {start + 1} to {stop}, previous, next null: {ends}"
            )

    def _lookup(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        if faults := [*_shape(seen.body, {"entries", "missing"}, GROUPED, where)]:
            yield from faults
            return
        yield from _group(seen.body, {*seen.question.asked}, board, where)

    def _friends(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        """Judge a reply by the list whose version it names, which may have been current."""
        members = {"entries", "missing", "friends_version"}
        if faults := [*_shape(seen.body, members, GROUPED, where)]:
            yield from faults
            return
        player, version = seen.question.player, seen.body["friends_version"]
        lists = self._friendships.candidates(player, seen.sent, seen.arrived)
        named = [one for one in lists if (one.version or None) == version]
        if not named:
            known = [one.version or None for one in lists]
            yield Finding("friends", f"{where}: by list {version}, current was {known}")
            return
        yield from _group(seen.body, {*named[0].friends, player}, board, where)

    def _rank_of(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        if faults := [*misses(seen.body, RANK_OF, where)]:
            yield from faults
            return
        yield from judge_rank_of(seen.body, seen.question.size, board.standings, where)

    def _distribution(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        if faults := [*misses(seen.body, DISTRIBUTION, where)]:
            yield from faults
            return
        scores = (self._season.score_min, self._season.score_max)
        size = seen.question.size
        yield from judge_distribution(seen.body, size, scores, board.standings, where)

    def _not_ranked(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        player = seen.question.player
        if seen.body.get("code") != "player_not_ranked":
            yield Finding("status", f"{where}: 404 {seen.body.get('code')}")
        elif board.score(player) is not None:
            later = board.later_changes(player)
            if seen.exact or all(one.after(board.region) is not None for one in later):
                yield judge_score(player, None, board, where)
        elif seen.question.kind == "rank":
            yield from self._pending(seen, board, where)

    def _pending(self, seen: Seen, board: Board, where: str) -> Iterator[Finding]:
        if "pending" not in seen.body:
            yield Finding("shape", f"{where}: no member pending")
            return
        got = _pending_of(seen.body["pending"])
        if seen.question.pinned is not None:
            if got is not None:
                yield Finding("pinned_reply", f"{where}: pinned, with pending {got}")
            return
        allowed = self._may_be_pending(seen, board)
        if not any(_is_pending(got, one) for one in allowed):
            yield Finding("pending", f"{where}: pending is {got}, may be {allowed}")

    def _may_be_pending(self, seen: Seen, board: Board) -> list[Pending | None]:
        """What may be pending: of a 404 that names no version, a score to come must be."""
        player = seen.question.player
        moments = self._timelines.candidates(player, seen.sent, seen.arrived)
        if not moments:
            return [None]
        if not seen.exact:
            return [one for moment in moments for one in _of_any_version(moment, board)]
        shown = board.score(player)
        allowed = [
            one
            for moment in moments
            for one in pending_at(seen.version, moment, board.region, shown=shown is not None)
        ]
        return [*allowed, *(None for one in allowed if one is not None and one.score == shown)]


def _of_any_version(moment: Moment, board: Board) -> list[Pending | None]:
    if moment.move is not None or board.region not in {None, moment.region}:
        return [None, *pending_at(0, moment, board.region, shown=True)]
    at = moment.changed_at
    whole = Pending(moment.score, moment.score_version, at, at)
    return [whole] if moment.score is not None else [whole, None]


def _is_pending(got: tuple[Any, ...] | None, allowed: Pending | None) -> bool:
    if got is None or allowed is None:
        return got is allowed
    return len(got) == len(PENDING) and isinstance(got[2], int) and allowed.fits((*got,))


def _bounds(seen: Seen, board: Board) -> tuple[int, int]:
    standings, place, size = board.standings, seen.question.place, seen.question.size
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
            return _window(seen, board)
    return start, min(total, start + size)


def _window(seen: Seen, board: Board) -> tuple[int, int]:
    """Where a page around something lies: it begins where the reply says, and contains it."""
    standings, place, size = board.standings, seen.question.place, seen.question.size
    wanted = standings.place((-place.score, ""))
    if place.side == "around" and board.score(place.player) is not None:
        wanted = standings.place_of(place.player)
    entries = seen.body["entries"]
    said = (
        standings.place(key_of(entries[0]["score"], entries[0]["player_id"]))
        if entries
        else wanted
    )
    start = min(max(said, wanted - size + 1, 0), wanted)
    return start, min(len(standings), start + size)


def _group(body: Json, asked: set[str], board: Board, where: str) -> Iterator[Finding]:
    scores = board.standings.scores
    found = sorted(key_of(scores[name], name) for name in asked & scores.keys())
    expected = [(board.standings.rank(-minus), name, -minus) for minus, name in found]
    yield from compare_rows(body["entries"], expected, board, where)
    yield from _group_ranks(body["entries"], where)
    missing = sorted(asked - scores.keys())
    if sorted(body["missing"]) != missing:
        yield Finding("window", f"{where}: missing {body['missing'][:5]}, are {missing[:5]}")


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
