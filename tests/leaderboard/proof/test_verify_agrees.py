"""A season that real operations made is what its ledger says, at every version."""

import pytest

from leaderboard.models import Lease, Verification, Version
from leaderboard.operations.verify_season import verify_season
from scores.models import Undo
from seasons.models import Season
from tests.factories import apply, board, correct, event, make_season, publish


def play(slug: str) -> None:
    """Let everything happen that a ledger can have, over several versions."""
    board(slug, ann=10, bob=20, cid=20, dan=30, eve=0)
    again = event("ann", 15, 2)
    apply(slug, again, again._replace(best_score=9), event("bob", 5, 2), event("bob", 50, 1))
    publish(slug)
    apply(slug, event("ann", 14, 4), event("ann", 99, 3), event("fay", 7))
    cheat = event("cid", 990, 3)
    apply(slug, cheat)
    publish(slug)
    correct(slug, "dan", 5, corrected_score=3)
    correct(slug, "cid", 4)
    correct(slug, "gus", 1)
    apply(slug, event("cid", 991, 5), event("hal", 12))
    publish(slug)
    correct(slug, "cid", 6, void_event_id=cheat.event_id)
    removal = correct(slug, "hal", 2)
    publish(slug)
    correct(slug, "hal", 3, void_event_id=removal.event_id)
    apply(slug, event("dan", 4, 6), event("dan", 2, 7), event("gus", 8, 2))
    publish(slug)
    apply(slug, event("ann", 500, 6))


def differences(verification: Verification) -> dict[str, list[str]]:
    return {
        check["kind"]: [one["place"] for one in check["first"]]
        for check in verification.report["checks"]
        if check["differing"]
    }


@pytest.mark.parametrize("scope", ["whole", "sample"])
def test_every_version_of_a_season_agrees_with_its_ledger(slug: str, scope: str) -> None:
    play(slug)
    season = Season.objects.get(slug=slug)
    versions = list(Version.objects.filter(season_id=season.id).values_list("number", flat=True))
    assert len(versions) == 7
    assert Undo.objects.filter(namespace=season.namespace).count() >= 5
    for version in versions:
        verification = verify_season(slug, version=version, scope=scope)
        assert differences(verification) == {}
        assert verification.agrees is True
        assert verification.finished_at is not None
    assert not Lease.objects.filter(season_id=season.id).exists()


@pytest.mark.parametrize("scope", ["whole", "sample"])
def test_a_season_without_players_agrees(slug: str, scope: str) -> None:
    assert verify_season(slug, scope=scope).agrees


@pytest.mark.usefixtures("shared")
def test_a_season_with_a_narrow_range_agrees() -> None:
    narrow = make_season("narrow", score_min=100, score_max=142).slug
    board(narrow, ann=100, bob=142, cid=120)
    assert verify_season(narrow).agrees
