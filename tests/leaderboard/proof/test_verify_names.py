"""One thing is altered behind the back of a season: verify names it, by kind and place."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published
from tests.factories import board, settling
from tests.leaderboard.proof.damage import DAMAGE, DAMAGE_IN_REGIONS, Damage
from tests.leaderboard.proof.played import differences, make_played, make_played_in_regions

Superuser = psycopg.Connection[Any]
SEEN_BY_SAMPLES = {
    "a best's region": "bests",
    "a hidden tie key": "bests",
    "a prefix of the global board": "counts",
    "a prefix of a region": "counts",
    "the prefixes of a region deleted": "prefixes",
    "a top row's player in a region": "top",
    "a top row's tie key": "top",
    "a boundary that players then are on the other side of": "counts",
}

_made: dict[str, str] = {}


@pytest.fixture
def plain(shared: str) -> str:
    """Return the slug of a season that all tests here alter, and put back as it was."""
    return made_once("plain", make_played)


@pytest.fixture
def in_regions(shared: str) -> str:
    """Return the slug of such a season with the tie rule `earliest` and regions."""
    return made_once("in regions", make_played_in_regions)


def made_once(kind: str, make: Callable[[], str]) -> str:
    if kind not in _made:
        _made[kind] = make()
    return _made[kind]


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_was_altered_is_named(plain: str, superuser: Superuser, damage: Damage) -> None:
    with altered(superuser, plain, damage):
        require_named(plain, damage)


@pytest.mark.parametrize("damage", DAMAGE_IN_REGIONS.values(), ids=DAMAGE_IN_REGIONS)
def test_what_was_altered_in_a_season_with_regions_is_named(
    in_regions: str, superuser: Superuser, damage: Damage
) -> None:
    with altered(superuser, in_regions, damage):
        require_named(in_regions, damage)


@pytest.mark.parametrize(("what", "kind"), SEEN_BY_SAMPLES.items(), ids=SEEN_BY_SAMPLES)
def test_a_sample_sees_what_is_wrong_with_a_region_when_its_turn_comes(
    in_regions: str, superuser: Superuser, what: str, kind: str
) -> None:
    with altered(superuser, in_regions, DAMAGE_IN_REGIONS[what]):
        # Which region is looked at is left to chance, and so is which buckets are.
        samples = (verify_season(in_regions, scope="sample") for _ in range(40))
        found = next(differences(sample) for sample in samples if not sample.agrees)
    assert kind in found


def test_a_sample_sees_how_many_players_a_bucket_gained(slug: str, superuser: Superuser) -> None:
    with settling():
        board(slug, ann=10, bob=300)
    board(slug, cyd=20)
    assert verify_season(slug, scope="sample").agrees
    lost = "UPDATE leaderboard_prefix SET places = NULL, gained = NULL WHERE namespace = %s"
    superuser.execute(lost, [published(slug).namespace])
    assert "members" in differences(verify_season(slug, scope="sample"))


def test_what_was_put_back_is_as_it_was(plain: str, in_regions: str) -> None:
    assert verify_season(plain).agrees
    assert verify_season(in_regions).agrees


def require_named(slug: str, damage: Damage) -> None:
    verification = verify_season(slug)
    assert verification.agrees is False
    found = differences(verification)
    for kind, place in damage.seen.items():
        assert place in found[kind], found


@contextmanager
def altered(superuser: Superuser, slug: str, damage: Damage) -> Iterator[None]:
    """Alter something for the block, and put back what was there."""
    season = published(slug)
    statement = damage.statement.replace("{n}", str(season.namespace))
    found = re.search(r"(?:UPDATE|INSERT INTO|DELETE FROM) (\w+)", statement)
    assert found is not None
    superuser.execute(f"CREATE TEMP TABLE intact AS SELECT * FROM {found[1]}".encode())
    try:
        done = superuser.execute(statement.replace("{v}", str(season.current)).encode())
        assert done.rowcount >= 1
        yield
    finally:
        superuser.execute(f"DELETE FROM {found[1]}".encode())
        superuser.execute(f"INSERT INTO {found[1]} SELECT * FROM intact".encode())
        superuser.execute("DROP TABLE intact")
