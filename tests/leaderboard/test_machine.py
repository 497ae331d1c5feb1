"""
Anything in any order: writes, seals, publications, purges; every readable version is right.

Few players and few scores, so that ties, moves between buckets and returns happen; each
example has a season of its own in the database of the module.
"""

import itertools
import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from config import db
from leaderboard.models import Lease, Version
from leaderboard.operations import publish_version, purge_versions
from leaderboard.queries import Position, Published, changes, published
from leaderboard.queries.changes import ChangeRow
from scores.models import Undo
from seasons.models import Seal
from tests.factories import let_time_pass, make_season, unused_slug
from tests.leaderboard.agreement import require_board, require_gone
from tests.play import Play, Wanted

PLAYERS = [f"player-{letter}" for letter in "aBcDeFgh"]
NOBODY = "player-nobody"
WIDE = {"score_min": 0, "score_max": 600}
NARROW = {"score_min": 0, "score_max": 42}
RAISED = {"score_min": 100, "score_max": 900}
SCORES_OF = {
    600: [0, 1, 249, 250, 251, 499, 500, 600],
    42: [0, 1, 2, 41, 42],
    900: [100, 349, 350, 351, 600, 899, 900],
}

REPLACED_BUCKETS = db.Statement("""
    SELECT older.bucket
    FROM leaderboard_bucket AS older
    INNER JOIN leaderboard_bucket AS newer USING (namespace, board, bucket)
    WHERE namespace = %(space)s AND older.version < newer.version AND newer.version <= %(oldest)s
""")
NUMBERS_OF_TOPS = db.Statement(
    "SELECT version FROM leaderboard_top WHERE namespace = %(space)s ORDER BY version"
)
NUMBERS_OF_PREFIXES = db.Statement(
    "SELECT DISTINCT version FROM leaderboard_prefix WHERE namespace = %(space)s ORDER BY version"
)

players = st.sampled_from(PLAYERS)
ahead = st.sampled_from([1, 1, 1, 1, 2, 3, 0, -1])
picked = st.integers(0, 30)
wanted = st.tuples(players, picked, ahead)


class SeasonMachine(RuleBasedStateMachine):
    """A season under every operation, beside its oracle."""

    @initialize(layout=st.sampled_from([WIDE, WIDE, NARROW, RAISED]))
    def make(self, layout: dict[str, int]) -> None:
        season = make_season(unused_slug(), **layout)
        self.play = Play(season)
        self.scores = SCORES_OF[season.score_max]
        self.numbers = [1]
        self.gone: set[int] = set()
        self.unpublished: list[int] = []
        self.position = Position()
        self.walked: list[ChangeRow] = []

    @rule(batch=st.lists(wanted, min_size=1, max_size=10))
    def results(self, batch: list[tuple[str, int, int]]) -> None:
        self.play.results(*(Wanted(who, self._score(which), by) for who, which, by in batch))

    @rule(which=picked, other=st.one_of(st.none(), picked))
    def resend(self, which: int, other: int | None) -> None:
        content = {} if other is None else {"best_score": self._score(other)}
        self.play.send_again(which, **content)

    @rule(kind=st.sampled_from(["set", "remove", "void"]), who=players, which=picked, by=ahead)
    def correct(self, kind: str, who: str, which: int, by: int) -> None:
        if kind == "set":
            self.play.correct(who, by, corrected_score=self._score(which))
        elif kind == "remove":
            self.play.correct(who, by)
        else:
            self.play.void(who, which, by)

    @rule(batches=st.lists(st.lists(wanted, min_size=1, max_size=4), min_size=2, max_size=4))
    def live(self, batches: list[list[tuple[str, int, int]]]) -> None:
        for batch in batches:
            self.results(batch)
            self.seal_and_publish()

    @rule(seconds=st.sampled_from([1, 100]))
    def time_passes(self, seconds: int) -> None:
        let_time_pass(self.play.slug, seconds)

    @rule(times=st.sampled_from([1, 1, 1, 3, 31]))
    def seal(self, times: int) -> None:
        for _ in range(times):
            self.unpublished.append(self.play.oracle.epoch)
            self.play.seal()

    @rule()
    def publish(self) -> None:
        taken = self.unpublished[:30]
        changed = any(c.visible and c.epoch in taken for c in self.play.oracle.changes)
        done = publish_version(self.play.season_id)
        self.unpublished = self.unpublished[30:]
        assert done.more == bool(self.unpublished)
        if not taken:
            assert (done.outcome, done.version) == ("idle", self.numbers[-1])
        elif not changed:
            assert (done.outcome, done.version) == ("unchanged", self.numbers[-1])
        else:
            assert done.outcome == "published"
            assert done.version is not None
            assert done.version >= max(taken)
            assert done.version > self.numbers[-1]
            self.numbers.append(done.version)

    @rule()
    def seal_and_publish(self) -> None:
        self.seal(1)
        self.publish()

    @rule(which=picked, hours=st.sampled_from([-1, 1]))
    def lease(self, which: int, hours: int) -> None:
        Lease.objects.filter(season_id=self.play.season_id).delete()
        Lease.objects.create(
            season_id=self.play.season_id,
            version=self.readable[which % len(self.readable)],
            holder="a proof",
            expires_at=datetime.now(UTC) + timedelta(hours=hours),
        )

    @rule(which=picked)
    def purge(self, which: int) -> None:
        if len(self.readable) < 2:
            return
        last = self.readable[which % (len(self.readable) - 1)]
        can_go = [number for number in self.readable[:-1] if number not in self._leased()]
        purged = purge_versions(self.play.season_id, version_kept_seconds=self._age_of(last))
        # Those replaced just after the last one are old enough too, if the purge began late.
        at_least = min(20, sum(number <= last for number in can_go))
        assert len(purged) >= at_least
        assert purged == can_go[: len(purged)]
        self.gone.update(purged)
        self._read(self.readable[0], 3)
        self._require_nothing_kept_in_vain(self.readable[0])

    @rule(which=picked, limit=st.sampled_from([1, 2, 3, 50]))
    def read(self, which: int, limit: int) -> None:
        self._read(self.numbers[which % len(self.numbers)], limit)

    @rule(limit=st.integers(1, 5))
    def walk(self, limit: int) -> None:
        found = changes(self._published(), self.position, limit=limit)
        self.walked.extend(found.rows)
        self.position = found.next

    @property
    def readable(self) -> list[int]:
        """Return the numbers of the versions that were not purged, oldest first."""
        return [number for number in self.numbers if number not in self.gone]

    def teardown(self) -> None:
        if not hasattr(self, "play"):
            return
        self.seal_and_publish()
        while self.unpublished:
            self.publish()
        for number in self.numbers:
            self._read(number, 2)
        self._require_whole_walk()

    def _read(self, number: int, limit: int) -> None:
        season = self._published()
        assert season.number == self.numbers[-1]
        if number in self.gone:
            require_gone(season, number, PLAYERS[0])
            return
        board = self.play.oracle.board_at(number)
        require_board(season, number, board, [*PLAYERS, NOBODY], [limit])

    def _require_whole_walk(self) -> None:
        while True:
            before = len(self.walked)
            self.walk(2)
            if len(self.walked) == before:
                break
        by_id = {change.event_id: change for change in self.play.oracle.changes if change.visible}
        assert sorted(row.event_id for row in self.walked) == sorted(by_id)
        for row in self.walked:
            change = by_id[row.event_id]
            assert (row.player_id, row.old_score, row.new_score) == (
                change.player_id,
                change.old_score,
                change.new_score,
            )
            assert row.version == min(n for n in self.numbers if n >= change.epoch)
        assert [row.version for row in self.walked] == sorted(row.version for row in self.walked)
        own = sorted(self.walked, key=lambda row: row.player_id)
        for _, rows in itertools.groupby(own, key=lambda row: row.player_id):
            places = [by_id[row.event_id].change_no for row in rows]
            assert places == sorted(places)

    def _published(self) -> Published:
        return published(self.play.slug)

    def _require_nothing_kept_in_vain(self, oldest: int) -> None:
        play = self.play
        assert not Undo.objects.filter(namespace=play.namespace, to_epoch__lte=oldest).exists()
        assert not Seal.objects.filter(season_id=play.season_id, epoch__lte=oldest).exists()
        replaced = db.fetch_all(int, REPLACED_BUCKETS, space=play.namespace, oldest=oldest)
        assert replaced == []
        for stored in (NUMBERS_OF_TOPS, NUMBERS_OF_PREFIXES):
            assert db.fetch_all(int, stored, space=play.namespace) == self.readable

    def _leased(self) -> set[int]:
        leases = Lease.objects.filter(
            season_id=self.play.season_id, expires_at__gt=datetime.now(UTC)
        )
        return set(leases.values_list("version", flat=True))

    def _score(self, which: int) -> int:
        return self.scores[which % len(self.scores)]

    def _age_of(self, number: int) -> float:
        version = Version.objects.get(namespace=self.play.namespace, number=number)
        assert version.replaced_at is not None
        return (datetime.now(UTC) - version.replaced_at).total_seconds()


def run(**wanted: Any) -> None:
    run_state_machine_as_test(SeasonMachine, settings=settings(**wanted))


def test_every_readable_version_is_right_whatever_happened(shared: str) -> None:
    run(max_examples=40, stateful_step_count=30)


@pytest.mark.slow
def test_every_readable_version_is_right_in_many_long_histories(shared: str) -> None:
    run(max_examples=int(os.environ.get("EXAMPLES", "600")), stateful_step_count=80)
