"""The change feed, folded to a board. Pure."""

from bisect import bisect_left
from typing import Any

from leaderboard.management.season_demo.checks import Checks
from leaderboard.management.season_demo.receipts import Shown

Json = dict[str, Any]
MEMBERS = frozenset(
    {
        "season_id",
        "player_id",
        "old_score",
        "new_score",
        "score_version",
        "event_id",
        "kind",
        "region",
        "committed_at",
        "version",
    }
)


class Feed:
    """What a follower of the changes knows."""

    def __init__(self, season_id: str) -> None:
        """Begin before the first change."""
        self.scores: dict[str, int] = {}
        self.cursor: str | None = None
        self.seen: set[str] = set()
        self._season_id = season_id
        self._versions: list[int] = [0]

    def take(self, checks: Checks, change: Json, due: Shown | None) -> None:
        """
        Check one change and fold it in.

        `due` is what the receipt of its event promised: a version at or below the one that the
        change came with, and above the published one before that.
        """
        where = f"the change of {change.get('event_id')} in the feed"
        if not checks.equal(f"members of {where}", MEMBERS, frozenset(change)):
            return
        player, version = change["player_id"], change["version"]
        expected = {
            "season_id": self._season_id,
            "region": None,
            "kind": due and due.kind,
            "score_version": due and due.score_version,
            "old_score": self.scores.get(player),
        }
        checks.equal(where, expected, {member: change[member] for member in expected})
        checks.equal(f"order of {where}", max(version, self._versions[-1]), version)
        checks.holds(f"first time of {where}", change["event_id"] not in self.seen)
        if version > self._versions[-1]:
            self._versions.append(version)
        if due is not None:
            before = self._versions[bisect_left(self._versions, version) - 1]
            promised = f"version of {where}: {before} < {due.version} <= {version}"
            checks.holds(promised, before < due.version <= version)
        self._fold(player, change["new_score"])
        self.seen.add(change["event_id"])

    def _fold(self, player: str, score: int | None) -> None:
        if score is None:
            self.scores.pop(player, None)
        else:
            self.scores[player] = score
