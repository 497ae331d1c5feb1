"""Who takes care of a series: lets its seasons be played as they come, and go when final."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from time import monotonic

from leaderboard.management.simulation.book import Boards
from leaderboard.management.simulation.closing import compare, judge_rest, look_at_final
from leaderboard.management.simulation.connection import (
    CannotRun,
    Json,
    Unreachable,
)
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.kit import Kit
from leaderboard.management.simulation.opening import open_stage, read_boards, settled_season
from leaderboard.management.simulation.season import PLAYABLE, Season, learn_season
from leaderboard.management.simulation.stage import Roster, Stage
from leaderboard.management.simulation.walk import VersionGone

POLL = 0.5
QUIET_POLL = 0.02
PATIENCE = 100.0
FINAL_WITHIN = timedelta(minutes=5)
RANKS_OF_FINAL = 100
SCHEDULED = "scheduled"


class Steward:
    """
    Watches one series.

    A season gets its book before it begins, and nobody can have written into it. When it is
    final it is compared whole, and everything about it is forgotten.
    """

    def __init__(
        self, kit: Kit, series_id: str, own: str, roster: Roster, friendships: Friendships
    ) -> None:
        """Take care of this series, whose events have ids that begin with `own`."""
        self._kit, self._own, self._roster = kit, own, roster
        self._friendships, self._connection = friendships, kit.connect()
        self._path = f"/v1/series/{series_id}"
        self._known: set[str] = set()
        self._late: set[Stage] = set()

    def open(self) -> None:
        """Let the seasons be played that there are, or raise CannotRun."""
        detail = self._ask()
        if detail is None:
            raise CannotRun("The server does not answer.")
        self._open_new(detail)
        if not self._roster.stages:
            raise CannotRun(f"No season of {self._path} is open or about to open.")

    def run(self, stop: Event) -> None:
        """Watch until told to stop."""
        while not stop.wait(POLL):
            detail = self._ask()
            if detail is not None:
                self._open_new(detail)
                self._let_go(detail["past"])

    def _ask(self) -> Json | None:
        try:
            reply = self._connection.ask("GET", self._path)
        except Unreachable:
            return None
        if reply.status == 404:
            raise CannotRun(f"The series {self._path} cannot be read: {reply.in_words()}")
        return reply.body if reply.status == 200 else None

    def _open_new(self, detail: Json) -> None:
        for listed in _playable(detail):
            if listed["season_id"] not in self._known:
                self._known.add(listed["season_id"])
                self._roster.add(self._open(listed))

    def _open(self, listed: Json) -> Stage:
        kit, season_id = self._kit, listed["season_id"]
        if listed["status"] == SCHEDULED:
            playable = PLAYABLE | {SCHEDULED}
            season = self._of_window(learn_season(self._connection, season_id, playable), listed)
            empty: dict[str, list[tuple[str, int]]] = {region: [] for region in season.regions}
            boards = Boards(season.version, [], empty)
        else:
            season = self._of_window(settled_season(self._connection, season_id), listed)
            season, boards = read_boards(self._connection, season, kit.findings, kit.say)
        return open_stage(kit, season, boards, self._own, self._friendships)

    def _of_window(self, season: Season, listed: Json) -> Season:
        return replace(season, window=listed["window"])

    def _let_go(self, past: Sequence[Json]) -> None:
        listed = {one["season_id"]: one for one in past}
        now = datetime.now(UTC)
        for stage in self._roster.stages:
            until, found = stage.season.takes_until(), listed.get(stage.season.season_id)
            if until is None or until > now:
                continue
            if found is not None and found["final_version"] is not None:
                self._conclude(stage, found["final_version"], gone=found["retired_at"] is not None)
            elif now > until + FINAL_WITHIN:
                self._never_final(stage)

    def _conclude(self, stage: Stage, version: int, *, gone: bool) -> None:
        """Compare a final season, as far as its series' rule still keeps it, and forget it."""
        self._roster.remove(stage)
        stage.book.close()
        deadline = monotonic() + PATIENCE
        while not stage.book.is_quiet() and monotonic() < deadline:
            Event().wait(QUIET_POLL)
        compared = not gone and self._compare(stage, version)
        self._kit.tally.count("windows closed")
        self._kit.tally.count("windows compared when final", int(compared))
        self._roster.keep(stage)
        stage.follower.close()

    def _compare(self, stage: Stage, version: int) -> bool:
        kit = self._kit
        if not judge_rest(stage, version, kit.findings):
            return False
        try:
            compare(kit, self._connection, stage, ranks=RANKS_OF_FINAL)
            look_at_final(kit, self._connection, stage, version)
        except VersionGone:
            return False
        while stage.checker.step(lag=0.0):
            pass
        return True

    def _never_final(self, stage: Stage) -> None:
        if stage in self._late:
            return
        self._late.add(stage)
        self._kit.findings.add(
            "not_final",
            f"{stage.season.season_id} was over at {stage.season.takes_until()}, and is not "
            f"final {FINAL_WITHIN.total_seconds():g} s later",
        )


def _playable(detail: Json) -> Iterator[Json]:
    """Return the seasons that take results now or will."""
    yield from detail["current"]
    yield from detail["upcoming"]
    yield from (one for one in detail["past"] if one["status"] == "closing")
