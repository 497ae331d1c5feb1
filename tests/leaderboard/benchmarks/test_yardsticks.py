import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.management.benchmarks import plotting, shapes
from leaderboard.management.benchmarks.connecting import connect
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.events import Improvements, apply_changes
from leaderboard.management.benchmarks.figures import Figure, beside, table
from leaderboard.management.benchmarks.measures import counting, shaping, stepping
from leaderboard.management.benchmarks.pacing import (
    Dialogue,
    Pace,
    ask,
    is_whole_http,
    is_whole_rank,
)
from leaderboard.management.benchmarks.shapes import SHAPES
from leaderboard.management.benchmarks.sorted_set import Row, SortedSet
from leaderboard.management.benchmarks.valkey import valkey
from seasons.models import Season

SMALL = {
    "players": (1_500,),
    "clients": (1,),
    "seconds": 1,
    "repeat": 1,
    "rate": 60,
    "reads": 0,
    "warm_up": 1,
    "changes": 50,
    "batches": 1,
    "connections": 2,
    "seasons": 1,
    "results_per_player": 1,
}


def measured(tmp_path: Path, **given: Any) -> dict[str, dict[str, Any]]:
    report = tmp_path / "figures.json"
    call_command("benchmark", **{**SMALL, **given}, json=report)
    return {figure["name"]: figure for figure in json.loads(report.read_text())["figures"]}


@pytest.mark.usefixtures("database")
def test_a_sorted_set_does_the_same_work_and_the_table_says_where_laurel_loses(
    tmp_path: Path,
) -> None:
    figures = measured(tmp_path, only=frozenset({"sorted-set"}))
    for name in (
        "rank, Laurel's statement / rank, sorted set, two round trips; one client",
        "rank, Laurel over HTTP / rank, sorted set, one script, no HTTP; 8 connections, Python",
        "top 100, Laurel's statement / top 100, sorted set; one client",
        "results, Laurel's operation / results, ZADD GT in a pipeline; batches of 1,000",
        "results, Laurel over HTTP / results, one ZADD GT a batch; batches of 1,000",
    ):
        (ratio,) = [figure for known, figure in figures.items() if known.startswith(name)]
        assert (ratio["median"] < 1) == (ratio["remark"] == "Laurel loses")
    assert figures["start a sorted set again, its log written anew"]["median"] > 0
    assert figures["append-only files, written anew"]["median"] > 0
    assert figures["memory of a player in a sorted set"]["median"] > len("10000000")


@pytest.mark.usefixtures("database")
def test_plain_sql_does_the_same_work_and_its_copies_are_gone_afterwards(tmp_path: Path) -> None:
    figures = measured(tmp_path, only=frozenset({"count-star", "materialised-view"}))
    for name in (
        "Laurel's / count(*), p50, the median player, 1,500 players",
        "Laurel's / count(*), p99, random players, 1,500 players",
        "publish / REFRESH CONCURRENTLY, 50 changes, 1,500 players",
    ):
        assert (figures[name]["median"] > 1) == (figures[name]["remark"] == "Laurel loses")
    assert figures["calls of count(*), random players, 1,500 players"]["median"] >= 1
    assert figures["oldest rank, published each second, 50 changes, 1,500 players"]["median"] > 1
    assert not scratch_schema_exists()


@pytest.mark.usefixtures("database")
def test_each_shape_of_a_rank_is_measured_beside_a_bare_look_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = ("look-ups", "with gains", "by slice", "array", "bucket's row", "version's", "covers")
    chosen = [shape for shape in SHAPES if any(name in shape.name for name in names)]
    monkeypatch.setattr(shaping, "SHAPES", chosen)
    figures = measured(tmp_path, only=frozenset({"shapes"}))
    for shape in chosen:
        assert figures[f"{shape.name} / bare, 1,500 players, 1 clients"]["median"] > 0
    assert figures["prepared, text / prepared, text, from Python, 1,500 players"]["median"] == 1
    assert not scratch_schema_exists()


@pytest.mark.usefixtures("database")
def test_a_shape_with_other_ranks_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = shapes.MADE["bits"].replace("{count}", "({count} + 1)")
    monkeypatch.setitem(shapes.MADE, "bits", wrong)
    with pytest.raises(CommandError, match="another rank in the shape"):
        call_command("benchmark", **SMALL, only=frozenset({"shapes"}))
    assert not scratch_schema_exists()


@pytest.mark.usefixtures("database")
def test_the_copies_of_plain_sql_are_gone_after_a_failure_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(counting, "COUNTED", "SELECT length(%s) - 100")
    with pytest.raises(CommandError, match="another rank by count"):
        measured(tmp_path, only=frozenset({"phases", "count-star"}))
    assert not scratch_schema_exists()
    # What was measured before is told all the same.
    told = json.loads((tmp_path / "figures.json").read_text())["figures"]
    assert next(figure["name"] for figure in told) == "seal, 50 changes, 1,500 players"


@pytest.mark.usefixtures("database")
def test_what_another_run_left_is_published_before_anything_is_compared(tmp_path: Path) -> None:
    measured(tmp_path, only=frozenset({"count-star"}))
    season = Season.objects.get(slug="bench-1500")
    with connect() as connection:
        apply_changes(season.slug, Improvements(connection, season.namespace), 1_000)
    assert measured(tmp_path, only=frozenset({"count-star"}))


@pytest.mark.usefixtures("database")
def test_a_count_that_takes_too_long_is_cut_off_and_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(counting, "LONGEST_CALL", "SET statement_timeout = '50ms'")
    monkeypatch.setattr(counting, "COUNTED", "SELECT pg_sleep(60), %s")
    figures = measured(tmp_path, only=frozenset({"count-star"}))
    assert figures["rank by count(*), p50, random players, 1,500 players"]["median"] >= 50


@pytest.mark.usefixtures("database")
def test_latency_is_measured_at_each_step_of_the_load_and_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stepping, "STEPS", (10, 90))
    plot = tmp_path / "latency.svg"
    figures = measured(tmp_path, only=frozenset({"load"}), plot=plot)
    for kind in ("HTTP rank", "HTTP mix", "rank of a sorted set, one script, no HTTP"):
        rates = [figures[f"{kind} at {step} % of what it can do"]["median"] for step in (10, 90)]
        assert rates == sorted(rates)
        assert figures[f"{kind} at 90 % of what it can do, p99"]["median"] > 0
    assert "HTTP rank, p99" in plot.read_text()


@pytest.mark.usefixtures("database")
def test_what_cannot_be_drawn_is_refused_before_anything_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(CommandError, match=r"ends in \.svg or \.png"):
        call_command("benchmark", **SMALL, only=frozenset({"load"}), plot=Path("latency.txt"))
    with pytest.raises(CommandError, match="name `load`"):
        call_command("benchmark", **SMALL, only=frozenset({"publish"}), plot=Path("latency.svg"))
    monkeypatch.setattr(plotting, "find_spec", lambda _: None)
    with pytest.raises(CommandError, match="needs Matplotlib"):
        call_command("benchmark", **SMALL, only=frozenset({"load"}), plot=Path("latency.svg"))
    assert not Season.objects.exists()


def scratch_schema_exists() -> bool:
    with connect() as connection:
        found = connection.execute("SELECT to_regnamespace('benchmark_scratch')").fetchone()
    assert found is not None
    return found[0] is not None


def test_equal_scores_of_a_sorted_set_share_a_rank() -> None:
    with valkey() as server:
        board = SortedSet(server)
        assert board.load([[("a", 30), ("b", 20)], [("c", 20), ("d", 20), ("e", 10)]]) == 5
        assert board.rank("b") == board.rank_in_two_trips("b") == (2, 20)
        assert board.ranks(["a", "e"]) == [(1, 30), (5, 10)]
        assert board.neighbours("c", 1) == [Row(2, "d", 20), Row(2, "c", 20), Row(2, "b", 20)]
        assert board.neighbours("e", 1) == [Row(2, "b", 20), Row(5, "e", 10)]
        assert [row.rank for row in board.top()] == [1, 2, 2, 2, 5]


def test_a_sorted_set_is_there_again_after_its_server_was_started_again() -> None:
    with valkey() as server:
        SortedSet(server).load([[("a", 30)]])
        server.stop()
        assert server.start() > 0
        assert SortedSet(server).rank("a") == (1, 30)


def test_the_server_of_a_sorted_set_is_gone_after_a_failure_too() -> None:
    started = []

    def fail() -> None:
        with valkey() as server:
            started.append(server.process_id)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    with pytest.raises(ProcessLookupError):
        os.kill(started[0], 0)


def test_a_request_that_waits_for_a_free_connection_has_waited_since_it_was_due() -> None:
    with valkey() as server:
        blocking = Dialogue(server.port, [b"BLPOP nothing 0.05\r\n"], lambda reply: bool(reply))
        alone = ask(blocking, Pace(1, 0.5))
        overrun = ask(blocking, Pace(1, 0.5, rate=100))
    assert alone.percentile(50) < 200
    assert alone.rate < 21
    assert overrun.percentile(50) > 300


@pytest.mark.parametrize(
    ("received", "is_whole"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", False),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc", True),
    ],
)
def test_a_reply_over_http_ends_where_its_length_says(received: bytes, *, is_whole: bool) -> None:
    assert is_whole_http(received) == is_whole


def test_a_rank_by_script_has_two_numbers() -> None:
    assert not is_whole_rank(b"*2\r\n:1\r\n")
    assert is_whole_rank(b"*2\r\n:1\r\n:30\r\n")


def test_an_answer_that_is_a_failure_is_no_measurement() -> None:
    with pytest.raises(CannotMeasure, match="404"):
        is_whole_http(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
    with pytest.raises(CannotMeasure, match="NOSCRIPT"):
        is_whole_rank(b"-NOSCRIPT No matching script.\r\n")


def test_the_table_says_where_laurel_loses_and_only_there() -> None:
    slow, quick = Figure("slow", "1/s", [1.0]), Figure("quick", "1/s", [2.0])
    assert beside("slow / quick", slow, quick).remark == "Laurel loses"
    assert beside("quick / slow", quick, slow).remark == ""
    assert beside("slow / quick", slow, quick, less_is_better=True).remark == ""
    assert [*table([beside("slow / quick", slow, quick)])][1].endswith("  Laurel loses")
