"""`manage.py season_demo` where it cannot run: status 2 and a sentence."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.leaderboard.simulation.serving import serving


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text("secret\n")
    return path


def refusal(url: str, token: Path, *more: str) -> str:
    """Return the sentence with which the command refuses to run, with status 2."""
    with pytest.raises(CommandError) as refused:
        call_command("season_demo", "--base-url", url, "--token-file", str(token), *more)
    assert refused.value.returncode == 2
    return str(refused.value)


def test_without_a_server_one_sentence_says_so(token: Path) -> None:
    with serving(lambda *_: (404, {})) as url:
        pass
    assert "Is `make run` running?" in refusal(url, token)


def test_without_a_token_one_sentence_says_so(token: Path) -> None:
    token.unlink()
    assert "TOKEN_FILE" in refusal("http://127.0.0.1:1", token)


def test_a_server_that_is_not_ready_is_quoted(token: Path) -> None:
    with serving(lambda *_: (503, {"status": "unavailable"})) as url:
        assert "unavailable" in refusal(url, token)


def test_too_few_players_are_refused(token: Path) -> None:
    assert "at least 100 players" in refusal("http://127.0.0.1:1", token, "--players", "99")


def test_a_server_of_another_database_is_noticed(database: str, token: Path) -> None:
    with serving(lambda _, url, *__: (200 if "readyz" in url else 404, {})) as url:
        assert "DATA_DIR" in refusal(url, token)


def test_a_mismatch_found_before_it_had_to_stop_is_status_1(database: str, token: Path) -> None:
    scheduled = {"status": "open", "starts_at": "2026-05-01T00:00:00Z", "current_version": 1}
    with (
        serving(lambda method, *_: (401, {}) if method == "POST" else (200, scheduled)) as url,
        pytest.raises(SystemExit) as left,
    ):
        call_command("season_demo", "--base-url", url, "--token-file", str(token))
    assert left.value.code == 1


def test_a_token_that_is_not_valid_is_noticed(database: str, token: Path) -> None:
    scheduled = {"status": "scheduled", "starts_at": "2026-05-01T00:00:00Z", "current_version": 1}
    with serving(lambda method, *_: (401, {}) if method == "POST" else (200, scheduled)) as url:
        assert "The token may not POST" in refusal(url, token)
