"""One thing is altered behind the back of a season: verify names it, by kind and place."""

from typing import Any

import psycopg
import pytest

from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published
from tests.leaderboard.proof.damage import DAMAGE, Damage
from tests.leaderboard.proof.played import differences

Superuser = psycopg.Connection[Any]


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_was_altered_is_named(played: str, superuser: Superuser, damage: Damage) -> None:
    season = published(played)
    statement = damage.statement.replace("{n}", str(season.namespace))
    altered = superuser.execute(statement.replace("{v}", str(season.current)).encode())
    assert altered.rowcount >= 1
    verification = verify_season(played)
    assert verification.agrees is False
    found = differences(verification)
    for kind, place in damage.seen.items():
        assert place in found[kind], found
