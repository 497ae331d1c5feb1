"""`manage.py simulate` from outside: statuses and sentences."""

import os
import signal
from io import StringIO
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.management.own_series import own_series
from seasons.models import Series
from seasons.queries.windows import present_windows
from tests.leaderboard.simulation.faults import Fault, RankPlusOne
from tests.leaderboard.simulation.reference import Answer, Json, Reference
from tests.leaderboard.simulation.serving import publishing, serving
from tests.leaderboard.simulation.windows import SLUG, World
from tests.own_database import use_database


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text("secret\n")
    return path


def simulated(
    url: str, token: Path, *more: str, series: tuple[str, ...] = ("--no-series",)
) -> str:
    """Return what the command writes."""
    out = StringIO()
    flags = ("--base-url", url, "--token-file", str(token), "--rate", "100", "--players", "20")
    call_command("simulate", *flags, "--seconds", "0.5", *series, *more, stdout=out)
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
    world = World(Reference({"a": 1}))
    with publishing(world), serving(world.handle) as url:
        written = simulated(url, token)
    for word in ("events", "reads", "improved", "p99", "accepted -> visible", "no mismatch"):
        assert word in written


def test_a_mismatch_is_status_1(token: Path) -> None:
    world = World(Reference({RankPlusOne.victim: 1}))
    with (
        publishing(world),
        serving(RankPlusOne(world.handle)) as url,
        pytest.raises(SystemExit) as left,
    ):
        simulated(url, token)
    assert left.value.code == 1


def test_the_end_of_the_season_is_no_mismatch_but_no_write_is(token: Path) -> None:
    def closed(method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if method == "POST" and "internal" in url:
            return 409, {"code": "season_final"}
        return world.handle(method, url, headers, body)

    world = World(Reference({"a": 1}))
    with publishing(world), serving(closed) as url, pytest.raises(SystemExit):
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
        return world.handle(method, url, headers, body)

    world = World(Reference())
    with publishing(world), serving(forbidding) as url:
        assert "403 forbidden" in refusal(url, token)


def test_a_feed_whose_beginning_is_purged_is_left_out_and_said_so(token: Path) -> None:
    def purged(method: str, url: str, headers: Any, body: Json | None) -> Answer:
        if "changes" in url:
            return 410, {"code": "cursor_expired"}
        return world.handle(method, url, headers, body)

    world = World(Reference())
    with publishing(world), serving(purged) as url:
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
    world = World(Reference())
    with publishing(world), serving(detailed(**members)(world.handle)) as url:
        assert word in refusal(url, token)


def test_ctrl_c_ends_early_with_the_table(token: Path) -> None:
    world = World(Reference({"a": 1}))
    stop = Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    with publishing(world), serving(world.handle) as url:
        stop.start()
        written = simulated(url, token, "--seconds", "60")
        stop.join()
    assert "no mismatch" in written


def test_without_a_database_one_sentence_says_what_is_not_covered(
    database: str, token: Path
) -> None:
    world = World(Reference({"a": 1}))
    with publishing(world), serving(world.handle) as url:
        use_database(None)
        written = simulated(url, token, series=())
    assert written.count("Windows and regions are not covered") == 1
    assert "no mismatch" in written


def test_a_series_that_the_server_does_not_know_is_ended_again(database: str, token: Path) -> None:
    world = World(Reference({"a": 1}))
    with publishing(world), serving(world.handle) as url:
        written = simulated(url, token, series=())
    assert "the database that is known here is not that of the server" in written
    assert "no mismatch" in written
    (series,) = Series.objects.all()
    assert series.slug.startswith("sim-")
    assert series.ended_at is not None


def test_an_own_series_is_ended_whatever_happens(database: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        stopped("sim-stopped")
    series = Series.objects.get(slug="sim-stopped")
    assert series.ended_at is not None
    assert {one.suffix for one in present_windows(series.id)} <= {"round", "dash"}


def stopped(slug: str) -> None:
    """Make a series, and be stopped while it is played."""
    with own_series(slug):
        series = Series.objects.get(slug=slug)
        windows = {one.suffix for one in present_windows(series.id)}
        assert windows == {"all-time", "round", "dash"}
        raise KeyboardInterrupt


def test_a_series_that_is_there_is_played_when_it_is_named(token: Path) -> None:
    world = World(Reference({"a": 1}))
    with publishing(world), serving(world.handle) as url:
        written = simulated(url, token, series=("--series", SLUG))
    assert f"{SLUG}-all-time" in written
    assert "no mismatch" in written


def test_a_series_that_there_is_not_cannot_be_played(token: Path) -> None:
    world = World(Reference({"a": 1}))
    with (
        publishing(world),
        serving(world.handle) as url,
        pytest.raises(CommandError, match="cannot be read") as refused,
    ):
        simulated(url, token, series=("--series", "nowhere"))
    assert refused.value.returncode == 2
