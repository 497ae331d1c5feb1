"""When a season takes results, and which of them count."""

from datetime import UTC, datetime, timedelta

import pytest

from seasons.rules import Timeliness, status, timeliness

START = datetime(2026, 1, 1, tzinfo=UTC)
CUTOFF = datetime(2026, 2, 1, tzinfo=UTC)
GRACE = timedelta(seconds=60)
INSTANT = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("now", "state"),
    [
        (START - INSTANT, "scheduled"),
        (START, "open"),
        (CUTOFF - INSTANT, "open"),
        (CUTOFF, "closing"),
        (CUTOFF + timedelta(days=365), "closing"),
    ],
)
def test_the_state_follows_the_clock(now: datetime, state: str) -> None:
    assert status(starts_at=START, cutoff_at=CUTOFF, final_version=None, now=now) == state


@pytest.mark.parametrize("now", [START - INSTANT, START, CUTOFF, CUTOFF + GRACE])
def test_final_is_final_whatever_the_clock_says(now: datetime) -> None:
    assert status(starts_at=START, cutoff_at=CUTOFF, final_version=9, now=now) == "final"


@pytest.mark.parametrize(
    ("completed_at", "accepted_at", "counts"),
    [
        (START - INSTANT, START + GRACE, "before_start"),
        (START, START, "in_time"),
        (CUTOFF - INSTANT, CUTOFF, "in_time"),
        (CUTOFF - INSTANT, CUTOFF + GRACE - INSTANT, "in_time"),
        (CUTOFF - INSTANT, CUTOFF + GRACE, "late"),
        (CUTOFF, CUTOFF - GRACE, "late"),
        (CUTOFF + INSTANT, CUTOFF + INSTANT, "late"),
        (START, CUTOFF + GRACE, "late"),
    ],
)
def test_a_result_counts_if_it_was_completed_and_arrived_in_time(
    completed_at: datetime, accepted_at: datetime, counts: Timeliness
) -> None:
    found = timeliness(
        completed_at=completed_at,
        accepted_at=accepted_at,
        starts_at=START,
        cutoff_at=CUTOFF,
        grace=GRACE,
    )
    assert found == counts


def test_without_grace_nothing_that_arrives_at_the_cutoff_counts() -> None:
    found = timeliness(
        completed_at=START,
        accepted_at=CUTOFF,
        starts_at=START,
        cutoff_at=CUTOFF,
        grace=timedelta(0),
    )
    assert found == "late"
