"""A series beside the season: windows that come and go, regions, moves and friends."""

import pytest

from leaderboard.management.simulation.options import Options
from leaderboard.management.simulation.run import simulate
from tests.leaderboard.simulation.faults import Fault, Plant
from tests.leaderboard.simulation.faults_of_series import FAULTS
from tests.leaderboard.simulation.reference import Reference
from tests.leaderboard.simulation.serving import publishing, serving
from tests.leaderboard.simulation.windows import GRACE, SLUG, World


def run(plant: Plant, *, seconds: float, grace: float = GRACE) -> tuple[int, str]:
    """Return exit status and report of a run in a season and a series with a fault."""
    said: list[str] = []
    world = World(Reference({f"old-{number:03d}": number for number in range(100)}), grace)
    with publishing(world, 0.1), serving(plant(world.handle)) as url:
        options = Options(url, "demo", "token", 200, 40, seconds, reads=150, seed=7, series=SLUG)
        status = simulate(options, said.append)
    return status, "\n".join(said)


def test_a_sound_series_gives_no_mismatch_while_windows_come_and_go() -> None:
    status, report = run(Fault, seconds=9)
    assert "no mismatch" in report, report
    assert status == 0
    for word in ("moves", "friend lists", "windows compared when final", "late_rejected"):
        assert f"\n{word} " in report, report


def test_results_too_late_for_their_season_are_followed_into_the_next_one() -> None:
    status, report = run(Fault, seconds=5, grace=60)
    assert "no mismatch" in report, report
    assert "\nlate_moved " in report, report
    assert status == 0


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_planted_in_a_series_is_reported_under_its_kind(fault: type[Fault]) -> None:
    status, report = run(fault, seconds=fault.SECONDS)
    assert f"\n{FAULTS[fault]} " in report, report
    assert status == 1
