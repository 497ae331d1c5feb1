"""Seasons of every kind are what their ledger says, on every board at every version."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published
from seasons.models import Season
from tests.leaderboard.kinds import KINDS, Model, play, small_buckets
from tests.leaderboard.proof.played import differences

Superuser = psycopg.Connection[Any]


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, shared: str) -> Iterator[Model]:
    """Give the test a season of a kind, whose players nobody moves afterwards."""
    played = play(request.param, rounds=4)
    yield played
    Season.objects.filter(slug=played.season.slug).update(regions=[])


@pytest.mark.parametrize("scope", ["whole", "sample"])
def test_every_version_agrees_with_its_ledger(model: Model, scope: str) -> None:
    for version in model.versions:
        verification = verify_season(model.season.slug, version=version, scope=scope)
        assert differences(verification) == {}
        assert verification.agrees is True


def test_every_prefix_top_and_key_is_looked_at(model: Model, superuser: Superuser) -> None:
    """Whatever is wrong with all boards at once is named for each of them."""
    season = published(model.season.slug)
    for statement in (
        "UPDATE leaderboard_top SET ranks[1] = 2 WHERE namespace = %s AND version = %s",
        "UPDATE leaderboard_version"
        " SET members = (SELECT array_agg(one + 1) FROM unnest(members) AS one)"
        " WHERE namespace = %s AND number = %s",
        "UPDATE leaderboard_prefix SET above ="
        " overlay(above PLACING (~substring(above FROM 32 FOR 1)) FROM 32 FOR 1)"
        " WHERE namespace = %s AND version = %s AND slice = 0",
    ):
        superuser.execute(statement.encode(), [season.namespace, season.current])
    found = differences(verify_season(model.season.slug))
    names = ["", *(f"{region}: " for region in season.regions)]
    assert found["top"] == [f"{name}place 1" for name in names]
    assert found["members"] == [f"{name}version" for name in names]
    assert found["prefixes"] == [f"{name}bucket 0" for name in names]
