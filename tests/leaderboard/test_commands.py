"""The commands that make and publish seasons, and the one that is refused."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.models import Stop
from leaderboard.queries import published
from scores.models import Ledger, ServiceToken
from scores.queries.valid_token import valid_token
from seasons.models import Season
from tests.api import get
from tests.factories import apply, event


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_a_season_is_made_with_its_rules(database: str) -> None:
    options = ["--starts-at", "2026-01-01T00:00:00Z", "--cutoff-at", "2099-01-01T02:00:00+02:00"]
    text = said("create_season", "cup", "--score-max", "42", "--grace", "5", *options)
    assert "2026-01-01T00:00:00.000000Z to 2099-01-01T00:00:00.000000Z" in text
    season = Season.objects.get(slug="cup")
    assert (season.score_min, season.score_max, season.grace_seconds) == (0, 42, 5)
    assert (published("cup").number, published("cup").members) == (1, [0])


def test_a_season_is_made_with_all_its_options(database: str) -> None:
    options = {
        "--name": "Cup of cups",
        "--starts-at": "2026-01-01T00:00:00Z",
        "--cutoff-at": "2099-01-01T00:00:00Z",
        "--grace": "7",
        "--late-policy": "review",
        "--score-min": "10",
        "--score-max": "1000000000",
        "--tie-rule": "earliest",
        "--order": "asc",
        "--keep": "latest",
    }
    words = [word for option in options.items() for word in option]
    said("create_season", "cup", *words, "--region", "EU", "--region", "na-west_1")
    body = get("/v1/seasons/cup").json()
    assert body == {
        **body,
        "season_id": "cup",
        "name": "Cup of cups",
        "starts_at": "2026-01-01T00:00:00.000000Z",
        "cutoff_at": "2099-01-01T00:00:00.000000Z",
        "grace_seconds": 7,
        "late_policy": "review",
        "score_min": 10,
        "score_max": 1_000_000_000,
        "tie_rule": "earliest",
        "order": "asc",
        "keep": "latest",
        "regions": ["EU", "na-west_1"],
        "current_version": 1,
    }
    assert published("cup").members == [0, 0, 0]
    for region in ("", "?region=EU", "?region=na-west_1"):
        top = get(f"/v1/seasons/cup/leaderboard/top{region}").json()
        assert (top["total_players"], top["entries"]) == (0, [])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["Cup"], "slug"),
        (["cup", "--score-min", "5", "--score-max", "5"], "below the highest"),
        (["cup", "--score-max", "2000000000"], "within 0..1000000000"),
        (["cup", "--grace", "-1"], "grace"),
        (["cup", "--cutoff-at", "2020-01-01T00:00:00Z"], "before its cutoff"),
        (["cup", "--starts-at", "yesterday"], "RFC|time as in"),
        (["cup", "--score-max", "1000000001"], "scores must lie within"),
        (["cup", "--region", "EU", "--region", "EU"], "A region is named twice"),
        (["cup", "--late-policy", "next"], "series"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence(
    database: str, options: list[str], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("create_season", *options)
    assert not Season.objects.exists()


def test_a_slug_is_used_once(season: str) -> None:
    with pytest.raises(CommandError, match="already"):
        call_command("create_season", season)


def test_publishing_by_hand_says_what_it_did(season: str) -> None:
    apply(season, event("ann", 10))
    assert said("publish", season).startswith("published: version ")
    assert said("publish", season).startswith("unchanged: version ")


def test_publishing_by_hand_ends_a_stop_only_when_every_check_passes(
    season: str, superuser: Any
) -> None:
    apply(season, event("ann", 10))
    superuser.execute("UPDATE scores_tally SET events = events + 1")
    with pytest.raises(CommandError, match="ledger_against_tallies"):
        call_command("publish", season)
    assert Stop.objects.exists()
    superuser.execute("UPDATE scores_tally SET events = events - 1")
    assert said("publish", season).startswith("published")
    assert not Stop.objects.exists()


def test_a_season_to_publish_must_exist(database: str) -> None:
    with pytest.raises(CommandError, match="no season"):
        call_command("publish", "nowhere")


def test_bootstrap_makes_what_is_missing_once(database: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    said("bootstrap", "--token-file", str(file))
    token = file.read_text("utf-8").strip()
    assert valid_token(token) is not None
    assert file.stat().st_mode & 0o077 == 0
    assert published("demo").status == "open"
    assert said("bootstrap", "--token-file", str(file)) == ""
    assert file.read_text("utf-8").strip() == token
    assert ServiceToken.objects.count() == 1


def test_the_ledger_is_not_flushed(season: str) -> None:
    apply(season, event("ann", 10))
    with pytest.raises(CommandError, match="cannot be emptied"):
        call_command("flush", "--noinput")
    assert (Ledger.objects.count(), Season.objects.count()) == (1, 1)
