"""
A season of any kind from its opening to a corrected final, with anything in between.

It closes, holds late results, is made final, and is corrected by admins in every state. Some
begin after the cutoff, or final, that enough happens there.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from config.errors import HeldResultDecided, ValidationFailed
from leaderboard.operations import finalize_season
from scores.operations import refuse_held, release_held
from scores.operations.decide_correction import approve_correction
from scores.operations.request_correction import WantedCorrection, request_correction
from scores.rules import Event
from seasons.models import Season
from seasons.operations import close_season
from tests.factories import event
from tests.leaderboard.kinds import small_buckets
from tests.leaderboard.machine import (
    BEGAN,
    LETTERS,
    BoardsMachine,
    kinds,
    picked,
    players,
    ranges,
    seasons,
)
from tests.play import Wanted

REASON = {"actor": "eve", "reason": "a reason"}
LONG_BEFORE = BEGAN - timedelta(days=2)


class LifeMachine(BoardsMachine):
    """The life of a season, beside its oracle."""

    @initialize(
        rules=seasons,
        scores=ranges,
        policy=st.sampled_from(["review", "review", "reject"]),
        played=st.sampled_from(["open", "closing", "closing", "final", "final"]),
    )
    def make(
        self, rules: dict[str, Any], scores: tuple[int, int], policy: str, played: str
    ) -> None:
        lowest, highest = scores
        self.begin({**rules, "score_min": lowest, "score_max": highest, "late_policy": policy})
        self.state = "open"
        self.held: list[Event] = []
        names = ("asks", "decides")
        self.asks, self.decides = (User.objects.get_or_create(username=n)[0] for n in names)
        if played != "open":
            self._play_until(played)

    @property
    def kept_for_ever(self) -> set[int]:
        """Return the final version and those that correct it."""
        final = self.published().final_version
        return set() if final is None else {number for number in self.numbers if number >= final}

    @rule(who=players, which=picked, by=st.integers(1, 4))
    def early_result(self, who: str, which: int, by: int) -> None:
        self.play.send(self._event(who, which, by, LONG_BEFORE))

    @precondition(lambda self: self.state != "open")
    @rule(who=players, which=picked, by=st.integers(1, 4))
    def late_result(self, who: str, which: int, by: int) -> None:
        late = self._event(who, which, by, datetime.now(UTC))
        self.play.send(late)
        if self.state == "closing" and self.play.oracle.kind.late_policy == "review":
            self.held.append(late)

    @precondition(lambda self: self.held)
    @rule(which=picked, lets_in=st.booleans(), then=st.one_of(st.none(), kinds))
    def decide(self, which: int, then: str | None, *, lets_in: bool) -> None:
        late = self.held.pop(which % len(self.held))
        decision = release_held if lets_in else refuse_held
        receipt = decision(self.slug, late.event_id, **REASON)
        if lets_in:
            assert receipt.best_score == self.play.oracle.release(late)
        with pytest.raises(HeldResultDecided):
            decision(self.slug, late.event_id, **REASON)
        if then is not None:
            self.admin_corrects(then, late.player_id.removeprefix(f"{self.slug}-"), which)

    @rule(kind=kinds, who=players, which=picked)
    def admin_corrects(self, kind: str, who: str, which: int) -> None:
        player = self.id(who)
        score = self.score(which) if kind == "set" else None
        void = self.play.event_of(player, which) if kind == "void" else None
        if kind == "void" and void is None:
            return
        wanted = WantedCorrection(player, kind, "a reason", "", score, void)  # type: ignore[arg-type]
        try:
            request = request_correction(self.slug, wanted, requested_by=self.asks)
        except ValidationFailed:
            assert kind == "void"
            return
        receipt = approve_correction(request.id, decided_by=self.decides, reason="right")
        shown = self.play.oracle.correct_own(player, kind, receipt.event_id, score, void)
        assert (receipt.outcome, receipt.best_score) == ("corrected", shown)

    @precondition(lambda self: self.state == "open")
    @rule()
    def close(self) -> None:
        close_season(self.slug, **REASON)
        self.play.oracle.cutoff_at = Season.objects.get(slug=self.slug).cutoff_at
        self.state = "closing"

    @precondition(lambda self: self.state == "closing")
    @rule()
    def finalize(self) -> None:
        Season.objects.filter(slug=self.slug).update(grace_seconds=0)
        done = finalize_season(self.slug, **REASON)
        assert done.outcome == "final"
        self.state = "final"
        self.play.oracle.final = True
        self.note_versions()
        assert self.published().final_version == self.numbers[-1] == done.version

    def _play_until(self, state: str) -> None:
        """Let everybody have a result, the season be over, and perhaps final."""
        results = (
            Wanted(self.id(who), self.score(2 * n), 1, BEGAN) for n, who in enumerate(LETTERS)
        )
        self.play.results(*results)
        self.seal_and_publish()
        self.close()
        for number, who in enumerate(LETTERS[:2]):
            self.late_result(who, 3 * number, 4)
        if state == "final":
            self.finalize()
            for number, who in enumerate(LETTERS[1:4]):
                self.correct([("set", who, number, 9, "kept")], shown=True)

    def _event(self, who: str, which: int, by: int, completed_at: datetime) -> Event:
        player = self.id(who)
        version = self.play.version(player, by)
        return event(player, self.score(which), version, completed_at=completed_at)


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


def run(**wanted: Any) -> None:
    run_state_machine_as_test(LifeMachine, settings=settings(**wanted))


def test_a_season_is_right_in_every_state_of_its_life(shared: str) -> None:
    run(max_examples=20, stateful_step_count=25)


@pytest.mark.slow
def test_it_is_in_many_long_lives(shared: str) -> None:
    run(max_examples=int(os.environ.get("EXAMPLES", "200")), stateful_step_count=50)
