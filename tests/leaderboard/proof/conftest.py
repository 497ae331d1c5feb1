"""Seasons for proofs: a thousand scores, so that each proof is quick."""

from collections.abc import Iterator

import pytest

from seasons.models import Season
from tests.factories import make_season, unused_slug
from tests.leaderboard.proof.played import play, play_in_regions


@pytest.fixture
def played(shared: str) -> str:
    """Give the test a season in which everything has happened, and return its slug."""
    season = make_season(unused_slug(), score_max=999)
    play(season.slug)
    return season.slug


@pytest.fixture
def played_in_regions(shared: str) -> Iterator[str]:
    """Give the test a season of the tie rule `earliest` with regions, and return its slug."""
    rules = {"tie_rule": "earliest", "regions": ("EU", "NA"), "score_max": 999}
    season = make_season(unused_slug(), **rules)
    play_in_regions(season.slug)
    yield season.slug
    # Profiles are the same for all seasons: nobody moves in this one any more.
    Season.objects.filter(id=season.id).update(regions=[])


@pytest.fixture(params=["played", "played_in_regions"])
def of_any_kind(request: pytest.FixtureRequest) -> str:
    """Give the test a season of each kind, one after the other, and return its slug."""
    slug: str = request.getfixturevalue(request.param)
    return slug
