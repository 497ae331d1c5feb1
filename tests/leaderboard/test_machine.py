"""Anything in any order in a season of any kind: every readable version is right."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from leaderboard.models import Lease
from leaderboard.operations.relayout import (
    CannotRelayout,
    begun_at,
    evened_out,
    relayout_board,
    with_bucket_cut,
)
from leaderboard.operations.relayout.wishes import Wish
from leaderboard.queries import top
from tests.factories import let_time_pass
from tests.leaderboard.agreement import Read
from tests.leaderboard.kinds import small_buckets
from tests.leaderboard.machine import BoardsMachine, picked, ranges, seasons, wanted


class SeasonMachine(BoardsMachine):
    """An open season under every operation, beside its oracle."""

    @initialize(rules=seasons, scores=ranges)
    def make(self, rules: dict[str, Any], scores: tuple[int, int]) -> None:
        self.begin({**rules, "score_min": scores[0], "score_max": scores[1]})

    @rule(seconds=st.sampled_from([1, 100]))
    def time_passes(self, seconds: int) -> None:
        let_time_pass(self.slug, seconds)

    @rule(
        wish=st.sampled_from(["even", "even if worth it", "cut", "begin"]),
        board=picked,
        which=picked,
        batch=st.lists(wanted, max_size=3),
    )
    def relayout(
        self, wish: str, board: int, which: int, batch: list[tuple[str, int, int, int]]
    ) -> None:
        if batch:
            self.results(batch, [], shown=False)
        region = self.regions[board % len(self.regions)]
        season = self.published()
        try:
            done = relayout_board(
                self.slug,
                self._wish(wish, region, which),
                region=region,
                if_worth_it=wish == "even if worth it",
            )
        except CannotRelayout:
            is_counted = season.is_counted(season.board_of(region))
            assert is_counted or season.final_version or wish in {"cut", "begin"}
            assert self.published().number == season.number
            return
        if done.outcome == "published":
            self.note_versions()
            assert self.numbers[-1] == done.version
        else:
            assert wish == "even if worth it"

    @rule(which=picked, hours=st.sampled_from([-1, 1]))
    def lease(self, which: int, hours: int) -> None:
        Lease.objects.filter(season_id=self.play.season_id).delete()
        Lease.objects.create(
            season_id=self.play.season_id,
            version=self.readable[which % len(self.readable)],
            holder="a proof",
            expires_at=datetime.now(UTC) + timedelta(hours=hours),
        )

    def _wish(self, wish: str, region: str | None, which: int) -> Wish:
        if wish == "cut":
            return with_bucket_cut(which % 6)
        if wish == "begin":
            read = Read(self.published(), self.numbers[-1], region)
            found = top(read.season, limit=100, **read.at)
            assert found is not None
            return begun_at([(one.score, one.tie_key) for one in found.entries][which % 3 :: 2])
        return evened_out


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


def run(**wanted: Any) -> None:
    run_state_machine_as_test(SeasonMachine, settings=settings(**wanted))


def test_every_readable_version_is_right_whatever_happened(shared: str) -> None:
    run(max_examples=20, stateful_step_count=25)


@pytest.mark.slow
def test_every_readable_version_is_right_in_many_long_histories(shared: str) -> None:
    run(max_examples=int(os.environ.get("EXAMPLES", "200")), stateful_step_count=50)
