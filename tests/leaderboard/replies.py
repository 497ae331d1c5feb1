"""Whether every reply about a board over HTTP is what plain Python says."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from tests.api import get, post, problem
from tests.oracle import FIRST_TIME, TIMELESS, Oracle, Row, in_order

FOUND_SHARES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


class Reader:
    """Somebody who reads a board: of a pinned version, or of whatever is current."""

    def __init__(
        self,
        slug: str,
        oracle: Oracle,
        number: int,
        *,
        region: str | None = None,
        pinned: bool = False,
    ) -> None:
        self.slug, self.oracle, self.number = slug, oracle, number
        self.region, self.pinned = region, pinned
        self.rows = in_order(oracle.board_at(number, region), oracle.kind.order)
        self.named: dict[str, Any] = {} if region is None else {"region": region}
        if pinned:
            self.named["version"] = number

    def require_all(self, players: Sequence[str], scores: Iterable[int], limit: int) -> None:
        """Ask everything that can be asked about the board."""
        self.require_top(limit)
        self.require_pages(limit)
        self.require_group(self.post("lookup", {"player_ids": list(players)}), players)
        self.require_distribution()
        for score in scores:
            self.require_rank_of(score)
            self.require_page_at(score, limit)
        for player_id in players:
            self.require_rank(player_id)
            self.require_neighbors(player_id, limit)
            self.require_friends(player_id)

    def require_top(self, limit: int) -> None:
        body = self.get("leaderboard/top", limit=limit)
        assert body["entries"] == self.placed(0, min(limit, 100))

    def require_pages(self, limit: int) -> None:
        """Pages have every row once, and those backwards are their mirror."""
        there = [self.get("leaderboard/page", limit=limit)]
        while (cursor := there[-1]["next"]) is not None:
            there.append(self.get("leaderboard/page", limit=limit, cursor=cursor))
        assert [entry for page in there for entry in page["entries"]] == self.placed()
        assert all(len(page["entries"]) == limit for page in there[:-1])
        back = there[-1:]
        while (cursor := back[-1]["previous"]) is not None:
            back.append(self.get("leaderboard/page", limit=limit, cursor=cursor))
        assert [page["entries"] for page in reversed(back)] == [page["entries"] for page in there]

    def require_page_at(self, score: int, limit: int) -> None:
        """A page from a score on begins with the first who is not better."""
        body = self.get("leaderboard/page", limit=limit, at_score=score)
        first = sum(self.is_better(row.score, score) for row in self.rows)
        assert body["entries"] == self.placed(first, first + limit)

    def require_rank(self, player_id: str) -> None:
        pending = None if self.pinned else self.pending(player_id)
        row = self.row(player_id)
        if row is None:
            response = get(self.address(f"players/{player_id}/rank"))
            assert problem(response, 404, "player_not_ranked")["pending"] == pending
            return
        body = self.get(f"players/{player_id}/rank")
        assert {name: body[name] for name in self.entry(row)} == self.entry(row)
        assert body["pending"] == pending

    def require_neighbors(self, player_id: str, radius: int) -> None:
        row = self.row(player_id)
        if row is None:
            address = self.address(f"players/{player_id}/neighbors", radius=radius)
            problem(get(address), 404, "player_not_ranked")
            return
        body = self.get(f"players/{player_id}/neighbors", radius=radius)
        place = self.rows.index(row)
        assert body["player"] == self.entry(row)
        assert body["above"] == [*map(self.entry, self.rows[max(0, place - radius) : place])]
        assert body["below"] == [*map(self.entry, self.rows[place + 1 : place + 1 + radius])]

    def require_friends(self, player_id: str) -> None:
        stored = self.oracle.friends.get(player_id)
        group = sorted({player_id, *(stored.friend_ids if stored else [])})
        body = self.get(f"players/{player_id}/friends")
        assert body["friends_version"] == (stored and stored.friends_version)
        self.require_group(body, group)

    def require_group(self, body: dict[str, Any], group: Sequence[str]) -> None:
        """Those of a group who are on the board stand in its order, each with two ranks."""
        found = {row.player_id: row for row in self.rows if row.player_id in group}
        among = in_order(
            {name: self.oracle.board_at(self.number)[name] for name in found},
            self.oracle.kind.order,
        )
        ranks = {row.player_id: row.rank for row in among}
        assert body["entries"] == [
            {**self.entry(row), "group_rank": ranks[row.player_id]} for row in found.values()
        ]
        assert sorted(body["missing"]) == sorted(set(group) - set(found))

    def require_rank_of(self, score: int) -> None:
        body = self.get("leaderboard/rank-of", score=score)
        better = sum(self.is_better(row.score, score) for row in self.rows)
        equal = [row for row in self.rows if row.score == score]
        below = len(self.rows) - better - len(equal)
        if self.oracle.kind.tie_rule == "earliest":
            # It would be achieved now: of those without a time nobody knows it.
            timed = sum(row.tie_key != TIMELESS for row in equal)
            better, below = better + timed, below + len(equal) - timed
        assert (body["score"], body["rank"], body["players_below"]) == (score, 1 + better, below)
        assert body["share_below"] == (below / len(self.rows) if self.rows else 0)

    def require_distribution(self) -> None:
        body = self.get("leaderboard/distribution", buckets=5)
        scores = sorted(row.score for row in self.rows)
        for bucket in body["buckets"]:
            between = [one for one in scores if bucket["from"] <= one <= bucket["to"]]
            assert bucket["count"] == len(between)
        assert sum(bucket["count"] for bucket in body["buckets"]) == len(scores)
        for share in FOUND_SHARES:
            enough = [
                one
                for one in scores
                if sum(other <= one for other in scores) * 100 >= share * len(scores)
            ]
            assert body["percentiles"][f"p{share}"] == (enough[0] if enough else None)

    def pending(self, player_id: str) -> dict[str, Any] | None:
        """Return what a reply says is accepted and not shown yet."""
        found = self.oracle.pending(player_id, self.number, self.region)
        names = ("score", "score_version", "visible_in_version")
        return None if found is None else dict(zip(names, found, strict=True))

    def placed(self, first: int = 0, last: int | None = None) -> list[dict[str, Any]]:
        """Return some rows as lists from the top show them."""
        places = enumerate(self.rows[first:last], first + 1)
        return [{**self.entry(row), "position": place} for place, row in places]

    def entry(self, row: Row) -> dict[str, Any]:
        """Return a row as a reply shows it."""
        shown = {"rank": row.rank, "player_id": row.player_id, "score": row.score}
        if self.oracle.kind.tie_rule == "shared":
            return shown
        at = None
        if row.tie_key != TIMELESS:
            moment = FIRST_TIME + timedelta(microseconds=row.tie_key)
            at = f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"
        return {**shown, "achieved_at": at}

    def row(self, player_id: str) -> Row | None:
        """Return the row of a player, None if there is none."""
        return next((row for row in self.rows if row.player_id == player_id), None)

    def is_better(self, score: int, other: int) -> bool:
        """Return whether a score stands higher than another one."""
        return score < other if self.oracle.kind.order == "asc" else score > other

    def get(self, route: str, **query: Any) -> dict[str, Any]:
        """Return a reply's body, whose head must be the board's."""
        return self._body(get(self.address(route, **query)))

    def post(self, route: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return the reply's body to one, whose head must be the board's."""
        return self._body(post(self.address(f"leaderboard/{route}"), body))

    def address(self, route: str, **query: Any) -> str:
        """Return the address of a question about the board."""
        return f"/v1/seasons/{self.slug}/{route}?{urlencode({**self.named, **query})}"

    def _body(self, response: Any) -> dict[str, Any]:
        assert response.status_code == 200, response.content
        body: dict[str, Any] = response.json()
        head = (body["season_id"], body["region"], body["leaderboard_version"])
        assert head == (self.slug, self.region, self.number)
        assert body["total_players"] == len(self.rows)
        return body


def changes_of(slug: str, bearer: str, limit: int) -> list[dict[str, Any]]:
    """Return all changes of a season, some at a time."""
    found: list[dict[str, Any]] = []
    query: dict[str, Any] = {"limit": limit}
    while True:
        address = f"/internal/v1/seasons/{slug}/changes?{urlencode(query)}"
        body = get(address, authorization=f"Bearer {bearer}").json()
        found.extend(body["changes"])
        if not body["changes"]:
            return found
        query["after"] = body["next"]
