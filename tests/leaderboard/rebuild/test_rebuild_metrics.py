"""Prometheus is told how far each rebuild is."""

from typing import Any

import pytest

from leaderboard.operations.rebuild import CannotRebuild, rebuild_season
from tests.api import get
from tests.leaderboard.rebuild.seasons_to_rebuild import between, everything_happens, play, rebuild
from tests.own_database import use_database

pytestmark = pytest.mark.usefixtures("shared")


def told() -> str:
    """Return the metrics about rebuilds."""
    lines = get("/metrics").content.decode().splitlines()
    return "\n".join(line for line in lines if line.startswith("laurel_rebuild"))


def test_a_rebuild_is_told_of_until_it_is_finished() -> None:
    played = play()
    everything_happens(played)

    def fails() -> None:
        raise CannotRebuild("Somebody stops it.")

    with between("indexed", fails), pytest.raises(CannotRebuild):
        rebuild_season(played.slug)
    labels = f'{{phase="indexed",season="{played.slug}"}}'
    assert f"laurel_rebuild_done{labels} 0.0" in told()
    assert f"laurel_rebuild_moved_seconds{labels} 1." in told()
    rebuild(played)
    assert played.slug not in told()


def test_while_the_database_is_away_other_metrics_are_told(shared: str) -> None:
    use_database("laurel_no_such_database")
    reply: Any = get("/metrics")
    use_database(shared)
    assert reply.status_code == 200
    assert b"python_info" in reply.content
