import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from leaderboard.management.benchmarks.figures import Figure, beside, table
from leaderboard.management.benchmarks.sorted_set import Row, SortedSet
from leaderboard.management.benchmarks.valkey import valkey

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
        "rank, Laurel's statement / rank, sorted set, two round trips",
        "rank, Laurel over HTTP / rank, sorted set, one script, no HTTP",
        "top 100, Laurel's statement / top 100, sorted set",
        "results, Laurel's operation / results, ZADD GT in a pipeline",
        "results, Laurel over HTTP / results, one ZADD GT a batch",
    ):
        assert figures[name]["unit"] == "ratio"
        assert (figures[name]["median"] < 1) == (figures[name]["remark"] == "Laurel loses")
    assert figures["start a sorted set again, its log written anew"]["median"] > 0
    assert figures["memory of a player in a sorted set"]["median"] > len("10000000")


def test_equal_scores_of_a_sorted_set_share_a_rank() -> None:
    with valkey() as server:
        board = SortedSet(server)
        board.load([("a", 30), ("b", 20), ("c", 20), ("d", 20), ("e", 10)])
        assert board.rank("b") == board.rank_in_two_trips("b") == (2, 20)
        assert board.ranks(["a", "e"]) == [(1, 30), (5, 10)]
        assert board.neighbours("c", 1) == [Row(2, "d", 20), Row(2, "c", 20), Row(2, "b", 20)]
        assert board.neighbours("e", 1) == [Row(2, "b", 20), Row(5, "e", 10)]
        assert [row.rank for row in board.top()] == [1, 2, 2, 2, 5]


def test_a_sorted_set_is_there_again_after_its_server_was_started_again() -> None:
    with valkey() as server:
        SortedSet(server).load([("a", 30)])
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


def test_the_table_says_where_laurel_loses_and_only_there() -> None:
    slow, quick = Figure("slow", "1/s", [1.0]), Figure("quick", "1/s", [2.0])
    assert beside("slow / quick", slow, quick).remark == "Laurel loses"
    assert beside("quick / slow", quick, slow).remark == ""
    assert beside("slow / quick", slow, quick, less_is_better=True).remark == ""
    assert [*table([beside("slow / quick", slow, quick)])][1].endswith("  Laurel loses")
