"""One thing is altered behind the back of a season: verify names it, by kind and place."""

from typing import Any

import psycopg
import pytest

from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published
from tests.leaderboard.proof.damage import DAMAGE, DAMAGE_IN_REGIONS, Damage
from tests.leaderboard.proof.played import differences

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


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_was_altered_is_named(played: str, superuser: Superuser, damage: Damage) -> None:
    require_named(superuser, played, damage)


@pytest.mark.parametrize("damage", DAMAGE_IN_REGIONS.values(), ids=DAMAGE_IN_REGIONS)
def test_what_was_altered_in_a_season_with_regions_is_named(
    played_in_regions: str, superuser: Superuser, damage: Damage
) -> None:
    require_named(superuser, played_in_regions, damage)


@pytest.mark.parametrize(("what", "kind"), SEEN_BY_SAMPLES.items(), ids=SEEN_BY_SAMPLES)
def test_a_sample_sees_what_is_wrong_with_a_region_when_its_turn_comes(
    played_in_regions: str, superuser: Superuser, what: str, kind: str
) -> None:
    alter(superuser, played_in_regions, DAMAGE_IN_REGIONS[what])
    # Which region is looked at is left to chance, and so is which buckets are.
    samples = (verify_season(played_in_regions, scope="sample") for _ in range(40))
    found = next(differences(sample) for sample in samples if not sample.agrees)
    assert kind in found


def require_named(superuser: Superuser, slug: str, damage: Damage) -> None:
    alter(superuser, slug, damage)
    verification = verify_season(slug)
    assert verification.agrees is False
    found = differences(verification)
    for kind, place in damage.seen.items():
        assert place in found[kind], found


def alter(superuser: Superuser, slug: str, damage: Damage) -> None:
    season = published(slug)
    statement = damage.statement.replace("{n}", str(season.namespace))
    altered = superuser.execute(statement.replace("{v}", str(season.current)).encode())
    assert altered.rowcount >= 1
