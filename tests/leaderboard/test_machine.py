"""Anything in any order in a season of any kind: every readable version is right."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.leaderboard.kinds import small_buckets
from tests.leaderboard.machine import SeasonMachine


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


def run(**wanted: Any) -> None:
    run_state_machine_as_test(SeasonMachine, settings=settings(**wanted))


def test_every_readable_version_is_right_whatever_happened(shared: str) -> None:
    run(max_examples=24, stateful_step_count=25)


@pytest.mark.slow
def test_every_readable_version_is_right_in_many_long_histories(shared: str) -> None:
    run(max_examples=int(os.environ.get("EXAMPLES", "240")), stateful_step_count=50)
