"""After a correction of a final season: who moved, and who had been paid."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from leaderboard.models import Settlement
from leaderboard.operations import finalize_season
from leaderboard.queries import published
from scores.operations import WantedCorrection, approve_correction, request_correction
from seasons.models import Season
from tests.factories import apply, event, make_season, publish
from tests.people import client_of, person, text_of


@pytest.fixture
def corrected(database: str) -> int:
    """Give the test a final season, paid once, of which the first player was removed since."""
    make_season("season", grace_seconds=0)
    apply("season", event("cheat|1", 90), event("ann", 50))
    publish("season")
    Season.objects.update(cutoff_at=datetime.now(UTC))
    assert finalize_season("season", actor="clock", reason="over").outcome == "final"
    season = Season.objects.get()
    assert season.final_version is not None
    Settlement.objects.create(
        season=season, settlement_id="gold-run", version=season.final_version, checksum="x"
    )
    wanted = WantedCorrection(player_id="cheat|1", kind="remove", reason="aimbot")
    request = request_correction("season", wanted, requested_by=person("moderator"))
    approve_correction(request.id, decided_by=person("approver"), reason="seen")
    publish("season")
    return published("season").current


def moved_url(version: int) -> str:
    return reverse("admin:seasons_season_moved", args=[Season.objects.get().id, version])


def test_a_corrected_version_tells_who_moved_and_who_was_paid(corrected: int) -> None:
    client = client_of(person("viewer"))
    page = text_of(
        client.get(reverse("admin:seasons_season_change", args=[Season.objects.get().id]))
    )
    assert moved_url(corrected) in page
    moved = text_of(client.get(moved_url(corrected)))
    assert "cheat|1" in moved
    assert "gold-run" in moved
    assert "Nobody moved." not in moved


def test_the_player_has_a_rank_in_the_final_version_but_none_now(corrected: int) -> None:
    page = text_of(
        client_of(person("viewer")).get(
            reverse("admin:scores_best_player", args=["season", "cheat|1"])
        )
    )
    assert "not on the board" in page
    assert f"1 of 2 in version {Season.objects.get().final_version}, with 90" in page


def test_in_the_final_version_itself_nobody_moved(corrected: int) -> None:
    client = client_of(person("viewer"))
    final = Season.objects.get().final_version
    assert final is not None
    assert "Nobody moved." in text_of(client.get(moved_url(final)))


def test_a_version_that_corrects_nothing_is_not_found(corrected: int) -> None:
    client = client_of(person("viewer"))
    assert client.get(moved_url(1)).status_code == 404
    assert client.get(moved_url(corrected + 1)).status_code == 404


def test_what_is_not_there_or_not_permitted_is_told_on_a_page(corrected: int) -> None:
    client = client_of(person("viewer"))
    missing = client.get(moved_url(1))
    assert "There is nothing at this address." in missing.content.decode()
    refused = client.get(reverse("admin:seasons_season_add"))
    assert refused.status_code == 403
    assert "Your roles do not let you do this." in refused.content.decode()
