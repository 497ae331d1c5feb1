"""
A season from its opening to a corrected final, with anything at any moment in between.

Beside the operations of `test_machine` it closes, holds late results, is made final, is
corrected by admins in every state, and is rebuilt; every version that is kept is then read
and verified. Each example has a season of its own in the database of the module.
"""

import itertools
import os
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from config.errors import HeldResultDecided, SeasonFinal, ValidationFailed
from leaderboard.models import Version
from leaderboard.operations import (
    finalize_season,
    publish_version,
    purge_versions,
    verify_season,
)
from leaderboard.operations.rebuild import drop_replaced, rebuild_season
from leaderboard.queries import published
from scores.operations import apply_events, refuse_held, release_held
from scores.operations.decide_correction import approve_correction
from scores.operations.request_correction import WantedCorrection, request_correction
from scores.rules import Event
from seasons.models import Epoch, Season
from seasons.operations import close_season, seal_epoch
from tests.factories import event, make_season, unused_slug
from tests.leaderboard.agreement import require_board, require_gone
from tests.play import Play

PLAYERS = [f"player-{letter}" for letter in "aBcDeF"]
NOBODY = "player-nobody"
SCORES = [0, 1, 249, 250, 499, 600]
LONG_GRACE = 3_600
REASON = {"actor": "eve", "reason": "a reason"}

players = st.sampled_from(PLAYERS)
ahead = st.sampled_from([1, 1, 1, 2, 3, 0, -1])
picked = st.integers(0, 30)
kinds = st.sampled_from(["set", "remove", "void"])


class LifeMachine(RuleBasedStateMachine):
    """The life of a season, beside its oracle."""

    @initialize()
    def make(self) -> None:
        rules = {"score_max": 600, "grace_seconds": LONG_GRACE, "late_policy": "review"}
        season = make_season(unused_slug(), **rules)
        self.play = Play(season)
        self.slug = season.slug
        self.began_at = datetime.now(UTC)
        self.state = "open"
        self.held: list[Event] = []
        self.kept: list[int] = [1]
        self.gone: set[int] = set()
        self.corrections = itertools.count()
        names = ("asks", "decides")
        self.asks, self.decides = (User.objects.get_or_create(username=n)[0] for n in names)

    @property
    def final(self) -> bool:
        return self.state == "final"

    @rule(batch=st.lists(st.tuples(players, picked, ahead), min_size=1, max_size=6))
    def results_in_time(self, batch: list[tuple[str, int, int]]) -> None:
        events = [
            event(
                who,
                self._score(which),
                self.play._version(who, 0, by),
                completed_at=self.began_at,
            )
            for who, which, by in batch
        ]
        if self.final:
            with pytest.raises(SeasonFinal):
                apply_events(self.slug, events)
            return
        self.play.send(*events)

    @rule(which=picked)
    def resend(self, which: int) -> None:
        self.play.send_again(which)

    @precondition(lambda self: self.state == "closing")
    @rule(who=players, which=picked, by=st.integers(1, 4))
    def late_result(self, who: str, which: int, by: int) -> None:
        late = event(who, self._score(which), self.play._version(who, 0, by))
        (receipt,) = apply_events(self.slug, [late]).receipts
        assert receipt == self.play.oracle.apply_late(late, "late_held")
        self.held.append(late)

    @precondition(lambda self: self.held)
    @rule(which=picked, lets_in=st.booleans())
    def decide(self, which: int, *, lets_in: bool) -> None:
        late = self.held.pop(which % len(self.held))
        decision = release_held if lets_in else refuse_held
        receipt = decision(self.slug, late.event_id, **REASON)
        if lets_in:
            assert receipt.best_score == self.play.oracle.release(late)
        with pytest.raises(HeldResultDecided):
            decision(self.slug, late.event_id, **REASON)

    @rule(kind=kinds, who=players, which=picked, by=ahead)
    def correct(self, kind: str, who: str, which: int, by: int) -> None:
        if kind == "set":
            self.play.correct(who, by, corrected_score=self._score(which))
        elif kind == "remove":
            self.play.correct(who, by)
        else:
            self.play.void(who, which, by)

    @rule(kind=kinds, who=players, which=picked)
    def admin_corrects(self, kind: str, who: str, which: int) -> None:
        score = self._score(which) if kind == "set" else None
        void = self._event_of(who, which) if kind == "void" else None
        if kind == "void" and void is None:
            return
        wanted = WantedCorrection(who, kind, "a reason", "", score, void)  # type: ignore[arg-type]
        try:
            request = request_correction(self.slug, wanted, requested_by=self.asks)
        except ValidationFailed:
            assert kind == "void"
            return
        receipt = approve_correction(request.id, decided_by=self.decides, reason="right")
        shown = self.play.oracle.correct_own(who, kind, receipt.event_id, score, void)
        assert (receipt.outcome, receipt.best_score) == ("corrected", shown)

    @precondition(lambda self: self.state == "open")
    @rule()
    def close(self) -> None:
        close_season(self.slug, **REASON)
        self.state = "closing"

    @precondition(lambda self: self.state == "closing")
    @rule()
    def finalize(self) -> None:
        Season.objects.filter(slug=self.slug).update(grace_seconds=0)
        done = finalize_season(self.slug, **REASON)
        self.play.oracle.epoch = self._open_epoch()
        assert done.outcome == "final"
        self.state = "final"
        self._note_current()
        assert published(self.slug).final_version == self.kept[-1]

    @rule()
    def seal_and_publish(self) -> None:
        assert seal_epoch(self.play.season_id)
        self.play.oracle.epoch = self._open_epoch()
        while publish_version(self.play.season_id).more:
            self._note_current()
        self._note_current()

    @rule()
    def purge(self) -> None:
        self.gone.update(purge_versions(self.play.season_id, version_kept_seconds=0))

    @rule(source=st.sampled_from(["ledger", "bests"]))
    def rebuild(self, source: str) -> None:
        before = published(self.slug)
        rebuild_season(self.slug, source)
        after = published(self.slug)
        assert (after.number, after.final_version) == (before.number, before.final_version)
        assert after.namespace != before.namespace
        self.play.namespace = after.namespace
        self.play.oracle.epoch = self._open_epoch()
        still = set(
            Version.objects.filter(namespace=after.namespace).values_list("number", flat=True)
        )
        self.gone.update(number for number in self.kept if number not in still)
        if self.final:
            assert {number for number in self.kept if number >= self._final()} <= still
        drop_replaced(self.slug)

    @rule(which=picked)
    def verify(self, which: int) -> None:
        readable = [number for number in self.kept if number not in self.gone]
        number = readable[which % len(readable)]
        verification = verify_season(self.slug, version=number)
        assert verification.agrees, verification.report

    @rule(which=picked)
    def read(self, which: int) -> None:
        self._read(self.kept[which % len(self.kept)])

    def teardown(self) -> None:
        if not hasattr(self, "kept"):
            return
        self.seal_and_publish()
        for number in self.kept:
            self._read(number)
        assert verify_season(self.slug).agrees

    def _read(self, number: int) -> None:
        season = published(self.slug)
        if number in self.gone:
            require_gone(season, number, PLAYERS[0])
            return
        board = self.play.oracle.board_at(number)
        require_board(season, number, board, [*PLAYERS, NOBODY], [3])

    def _note_current(self) -> None:
        number = published(self.slug).current
        if number != self.kept[-1]:
            assert number > self.kept[-1]
            self.kept.append(number)

    def _final(self) -> int:
        number = published(self.slug).final_version
        assert number is not None
        return number

    def _event_of(self, who: str, which: int) -> str | None:
        own = [content.event_id for content in self.play.sent if content.player_id == who]
        return own[which % len(own)] if own else None

    def _score(self, which: int) -> int:
        return SCORES[which % len(SCORES)]

    def _open_epoch(self) -> int:
        return Epoch.objects.get(season_id=self.play.season_id).open_epoch


def run(**wanted: Any) -> None:
    run_state_machine_as_test(LifeMachine, settings=settings(**wanted))


def test_a_season_is_right_in_every_state_of_its_life(shared: str) -> None:
    run(max_examples=10, stateful_step_count=25)


@pytest.mark.slow
def test_it_is_in_many_long_lives(shared: str) -> None:
    run(max_examples=int(os.environ.get("EXAMPLES", "200")), stateful_step_count=60)
