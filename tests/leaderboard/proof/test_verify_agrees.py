"""A season that real operations made is what its ledger says, at every version."""

import pytest

from leaderboard.models import Lease, Version
from leaderboard.operations.verify_season import verify_season
from scores.models import Undo
from seasons.models import Season
from tests.factories import apply, board, correct, event, make_season, publish, unused_slug
from tests.leaderboard.proof.played import differences


@pytest.mark.parametrize("scope", ["whole", "sample"])
def test_every_version_of_a_season_agrees_with_its_ledger(played: str, scope: str) -> None:
    season = Season.objects.get(slug=played)
    versions = list(Version.objects.filter(season_id=season.id).values_list("number", flat=True))
    assert len(versions) == 7
    assert Undo.objects.filter(namespace=season.namespace).count() >= 5
    for version in versions:
        verification = verify_season(played, version=version, scope=scope)
        assert differences(verification) == {}
        assert verification.agrees is True
        assert verification.finished_at is not None
    assert not Lease.objects.filter(season_id=season.id).exists()


@pytest.mark.parametrize("scope", ["whole", "sample"])
def test_every_version_of_a_season_with_regions_agrees_with_its_ledger(
    played_in_regions: str, scope: str
) -> None:
    season = Season.objects.get(slug=played_in_regions)
    versions = list(Version.objects.filter(season_id=season.id).values_list("number", flat=True))
    assert len(versions) == 10
    undone = Undo.objects.filter(namespace=season.namespace)
    assert set(undone.values_list("region", flat=True)) == {None, 1, 2}
    for version in versions:
        verification = verify_season(played_in_regions, version=version, scope=scope)
        assert differences(verification) == {}
        assert verification.agrees is True


@pytest.mark.parametrize("scope", ["whole", "sample"])
def test_a_season_without_players_agrees(slug: str, scope: str) -> None:
    assert verify_season(slug, scope=scope).agrees


@pytest.mark.usefixtures("shared")
def test_a_season_with_a_narrow_range_agrees() -> None:
    narrow = make_season("narrow", score_min=100, score_max=142).slug
    board(narrow, ann=100, bob=142, cid=120)
    assert verify_season(narrow).agrees


@pytest.mark.parametrize("last", [{}, {"void_event_id": "first"}], ids=["removal", "void"])
@pytest.mark.usefixtures("shared")
def test_a_season_agrees_in_which_the_latest_of_a_player_has_no_score(
    last: dict[str, str],
) -> None:
    slug = make_season(unused_slug(), keep="latest").slug
    apply(slug, event("ann", 10, event_id="first"), event("ann", 5, 2))
    correct(slug, "ann", 3, **last)
    publish(slug)
    assert verify_season(slug).agrees
