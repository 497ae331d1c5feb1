"""Seasons for proofs: a thousand scores, so that each proof is quick."""

import pytest

from tests.factories import make_season, unused_slug
from tests.leaderboard.proof.played import play


@pytest.fixture
def played(shared: str) -> str:
    """Give the test a season in which everything has happened, and return its slug."""
    season = make_season(unused_slug(), score_max=999)
    play(season.slug)
    return season.slug
