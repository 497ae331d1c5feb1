"""`manage.py simulate` from outside: statuses and sentences."""

import os
import signal
from io import StringIO
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.leaderboard.simulation.faults import Fault, RankPlusOne
from tests.leaderboard.simulation.reference import Answer, Json, Reference
from tests.leaderboard.simulation.serving import publishing, serving


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text("secret\n")
    return path


def simulated(url: str, token: Path, *more: str) -> str:
    """Return what the command writes."""
    out = StringIO()
    flags = ("--base-url", url, "--token-file", str(token), "--rate", "100", "--players", "20")
    call_command("simulate", *flags, "--seconds", "0.5", *more, stdout=out)
    return out.getvalue()


def refusal(url: str, token: Path) -> str:
    """Return the sentence with which the command refuses to run, with status 2."""
    with pytest.raises(CommandError) as refused:
        simulated(url, token)
    assert refused.value.returncode == 2
    return str(refused.value)


def detailed(**members: Any) -> type[Fault]:
    """Return what makes a server describe its season otherwise."""

    class Detail(Fault):
        def __call__(self, method: str, url: str, headers: Any, body: Json | None) -> Answer:
            status, reply = self.forward(method, url, headers, body)
            return status, reply | members if url == "/v1/seasons/demo" else reply

    return Detail


def test_a_sound_run_ends_with_a_table_and_without_complaint(token: Path) -> None:
    reference = Reference({"a": 1})
    with publishing(reference), serving(reference.handle) as url:
        written = simulated(url, token)
    for word in ("events", "reads", "improved", "p99", "accepted -> visible", "no mismatch"):
        assert word in written


def test_a_mismatch_is_status_1(token: Path) -> None:
    reference = Reference({RankPlusOne.victim: 1})
    with (
        publishing(reference),
        serving(RankPlusOne(reference.handle)) as url,
        pytest.raises(SystemExit) as left,
    ):
        simulated(url, token)
    assert left.value.code == 1


def test_the_end_of_the_season_is_no_mismatch_but_no_write_is(token: Path) -> None:
    def closed(method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if method == "POST" and "internal" in url:
            return 409, {"code": "season_final"}
        return reference.handle(method, url, headers, body)

    reference = Reference({"a": 1})
    with publishing(reference), serving(closed) as url, pytest.raises(SystemExit):
        simulated(url, token)


def test_without_a_server_one_sentence_says_so(token: Path) -> None:
    with serving(lambda *_: (404, {})) as url:
        pass
    assert "Is `make run` running?" in refusal(url, token)


def test_without_a_token_one_sentence_says_so(token: Path) -> None:
    token.unlink()
    assert "TOKEN_FILE" in refusal("http://127.0.0.1:1", token)


def test_a_token_that_may_not_read_changes_cannot_run(token: Path) -> None:
    def forbidding(method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if "changes" in url:
            return 403, {"code": "forbidden"}
        return reference.handle(method, url, headers, body)

    reference = Reference()
    with publishing(reference), serving(forbidding) as url:
        assert "403 forbidden" in refusal(url, token)


def test_a_feed_whose_beginning_is_purged_is_left_out_and_said_so(token: Path) -> None:
    def purged(method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if "changes" in url:
            return 410, {"code": "cursor_expired"}
        return reference.handle(method, url, headers, body)

    reference = Reference()
    with publishing(reference), serving(purged) as url:
        written = simulated(url, token)
    assert "the feed is not checked" in written
    assert "no mismatch" in written


@pytest.mark.parametrize(
    ("members", "word"),
    [
        ({"status": "final"}, "final"),
        ({"tie_rule": "earliest"}, "tie_rule"),
        ({"cutoff_at": "2020-01-01T00:00:00Z", "grace_seconds": 0}, "over"),
        ({"current_version": None}, "no published version"),
    ],
)
def test_a_season_that_cannot_be_played_is_refused_in_words(
    token: Path, members: Json, word: str
) -> None:
    reference = Reference()
    with publishing(reference), serving(detailed(**members)(reference.handle)) as url:
        assert word in refusal(url, token)


def test_ctrl_c_ends_early_with_the_table(token: Path) -> None:
    reference = Reference({"a": 1})
    stop = Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    with publishing(reference), serving(reference.handle) as url:
        stop.start()
        written = simulated(url, token, "--seconds", "60")
        stop.join()
    assert "no mismatch" in written
