"""Seasons for proofs: a thousand scores, so that each proof is quick."""

from collections.abc import Iterator

import pytest

from seasons.models import Season
from tests.leaderboard.proof.played import make_played, make_played_in_regions


@pytest.fixture
def played(shared: str) -> str:
    """Give the test a season in which everything has happened, and return its slug."""
    return make_played()


@pytest.fixture
def played_in_regions(shared: str) -> Iterator[str]:
    """Give the test a season of the tie rule `earliest` with regions, and return its slug."""
    slug = make_played_in_regions()
    yield slug
    # Profiles are the same for all seasons: nobody moves in this one any more.
    Season.objects.filter(slug=slug).update(regions=[])


@pytest.fixture(params=["played", "played_in_regions"])
def of_any_kind(request: pytest.FixtureRequest, shared: str) -> str:
    """Give the test a season of each kind, one after the other, and return its slug."""
    slug: str = request.getfixturevalue(request.param)
    return slug
