"""Anything in any order, and a rebuild at any moment: every readable version stays right."""

import os
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from leaderboard.models import Current, Version
from leaderboard.operations.rebuild import drop_replaced
from leaderboard.queries import published
from seasons.models import Seal
from tests.leaderboard.rebuild.seasons_to_rebuild import bests_of, namespace_of, rebuild, undo_of
from tests.leaderboard.test_machine import SeasonMachine


class RebuildMachine(SeasonMachine):
    """The season under every operation, and rebuilds."""

    @rule(source=st.sampled_from(["ledger", "bests"]), dropped=st.booleans())
    def rebuild(self, source: str, *, dropped: bool) -> None:
        old = namespace_of(self.play)
        rebuild(self.play, source)
        new = namespace_of(self.play)
        self.play.namespace = new
        self.unpublished = self._sealed_but_unpublished()
        self.gone.update(number for number in self.readable if number != self.numbers[-1])
        versions = Version.objects.filter(namespace=new).values_list("number", flat=True)
        assert list(versions) == [published(self.play.slug).number] == self.readable
        assert bests_of(new) == bests_of(old)
        assert undo_of(new, after=0) == undo_of(old, after=self.numbers[-1])
        self._require_nothing_kept_in_vain(self.readable[0])
        if dropped:
            assert drop_replaced(self.play.slug)

    def _sealed_but_unpublished(self) -> list[int]:
        """A rebuild seals the open epoch several times, and publishes nothing."""
        through = Current.objects.get(season_id=self.play.season_id).through
        seals = Seal.objects.filter(season_id=self.play.season_id, epoch__gt=through)
        return list(seals.order_by("epoch").values_list("epoch", flat=True))


def run(**wanted: Any) -> None:
    run_state_machine_as_test(RebuildMachine, settings=settings(**wanted))


def test_every_readable_version_is_right_whenever_a_rebuild_came(shared: str) -> None:
    run(max_examples=10, stateful_step_count=20)


@pytest.mark.slow
def test_every_readable_version_is_right_in_many_long_histories(shared: str) -> None:
    run(max_examples=int(os.environ.get("EXAMPLES", "300")), stateful_step_count=60)
