"""`manage.py verify`: what it prints, and how it ends."""

from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command

from leaderboard.models import Verification
from leaderboard.operations import purge_versions
from leaderboard.queries import published
from tests.factories import publish

Superuser = psycopg.Connection[Any]


def verify(slug: str, **options: Any) -> str:
    said = StringIO()
    call_command("verify", slug, stdout=said, stderr=said, **options)
    return said.getvalue()


def test_it_tells_each_phase_and_what_was_compared(played: str) -> None:
    said = verify(played)
    assert "fold the ledger: " in said
    assert "Everything is what the ledger says." in said
    assert f"Version {published(played).current}, " in said
    for kind in ("ledger rows", "chain", "bests", "counts", "buckets", "ranks", "top", "undo"):
        assert f"\n  {kind} " in said


def test_a_version_can_be_named(played: str) -> None:
    assert "Version 3, " in verify(played, version=3)


def test_a_sample_can_be_asked_for(played: str) -> None:
    assert "Everything is what the ledger says." in verify(played, sample=True)
    assert Verification.objects.latest("id").scope == "sample"


def test_a_difference_ends_with_status_1_and_names_the_player(
    played: str, superuser: Superuser
) -> None:
    superuser.execute(
        "UPDATE scores_best SET score = 777 WHERE namespace = %s AND player_id = 'bob'",
        [published(played).namespace],
    )
    said = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", played, stdout=said, stderr=said)
    assert ended.value.code == 1
    assert "bob: expected score at the version 20, score 20; found score at the" in said.getvalue()
    assert "It is NOT what the ledger says." in said.getvalue()


def test_what_cannot_be_verified_is_said_in_a_sentence(played: str, superuser: Superuser) -> None:
    season = published(played)
    with pytest.raises(CommandError, match="There is no season nothing"):
        verify("nothing")
    with pytest.raises(CommandError, match="has not been published"):
        verify(played, version=season.current + 1)
    publish(played)
    purge_versions(season.season_id, version_kept_seconds=0)
    with pytest.raises(CommandError, match=f"Version 3 of {played} can no longer be read"):
        verify(played, version=3)
    superuser.execute("DELETE FROM leaderboard_current WHERE season_id = %s", [season.season_id])
    with pytest.raises(CommandError, match="has no published version"):
        verify(played)
