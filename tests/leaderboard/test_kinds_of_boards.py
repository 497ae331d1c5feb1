"""Every kind of board at every version, against counting in plain Python."""

from collections.abc import Iterator

import pytest

from leaderboard.models import Layout, Version
from leaderboard.queries import published
from tests.leaderboard.kinds import KINDS, Model, play, require_version, small_buckets


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, shared: str) -> Model:
    """Return a season of a kind in which some rounds were played and published."""
    return play(request.param)


def test_every_read_of_every_version_and_board_is_right(model: Model) -> None:
    for version in model.versions:
        require_version(model, version)


def test_crowded_buckets_were_split(model: Model) -> None:
    season = published(model.season.slug)
    assert season.boundary_sets is not None
    ordered = [number for number in season.boundary_sets if number]
    layouts = Layout.objects.filter(season_id=season.season_id)
    assert layouts.count() > 1
    assert ordered
    versions = Version.objects.filter(namespace=season.namespace)
    assert {one.layout_id for one in versions} <= {layout.id for layout in layouts}
