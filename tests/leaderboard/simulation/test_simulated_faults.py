"""The simulation finds no fault in a sound server, and each planted one under its name."""

import pytest

from leaderboard.management.simulation.options import Options
from leaderboard.management.simulation.run import simulate
from tests.leaderboard.simulation.faults import FAULTS, Fault, LostEvent, Plant, Weather
from tests.leaderboard.simulation.reference import Reference
from tests.leaderboard.simulation.serving import publishing, serving
from tests.leaderboard.simulation.windows import World

PLAYERS = 10_000


@pytest.fixture
def reference() -> Reference:
    """Return a season of 10,000 players, half a dozen with each score."""
    return Reference({f"old-{number:05d}": number % 1500 for number in range(PLAYERS)})


def run(
    reference: Reference, plant: Plant, *, seconds: float = 1.3, batch: int = 0
) -> tuple[int, str]:
    """Return exit status and report of a run against a server with a fault."""
    said: list[str] = []
    world = World(reference)
    with publishing(world, 0.1), serving(plant(world.handle)) as url:
        options = Options(
            url, "demo", "token", 250, players=60, seconds=seconds, reads=150, batch=batch, seed=7
        )
        status = simulate(options, said.append)
    return status, "\n".join(said)


def test_a_sound_server_gives_no_mismatch(reference: Reference) -> None:
    status, report = run(reference, Fault, seconds=4.5)
    assert "no mismatch" in report, report
    assert status == 0


def test_a_server_that_is_away_now_and_then_gives_retries_and_no_mismatch(
    reference: Reference,
) -> None:
    status, report = run(reference, Weather)
    assert "no mismatch" in report, report
    assert "write retries" in report
    assert status == 0


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_reported_under_its_kind(
    reference: Reference, fault: type[Fault]
) -> None:
    status, report = run(reference, fault, batch=1 if fault is LostEvent else 0)
    assert f"\n{FAULTS[fault]} " in report, report
    assert status == 1
