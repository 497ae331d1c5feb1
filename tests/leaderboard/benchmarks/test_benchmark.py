import json
import tempfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from leaderboard.management.benchmarks import room
from leaderboard.management.benchmarks.figures import Figure, at_least, at_most, ratios, table
from leaderboard.management.benchmarks.wrk import is_installed
from leaderboard.management.capacity.kept import read_costs
from leaderboard.models import Rebuild
from tests.factories import make_season
from tests.leaderboard.capacity.measured import written

TINY = {
    "players": (300, 600),
    "clients": (1,),
    "seconds": 1,
    "repeat": 1,
    "rate": 60,
    "reads": 0,
    "warm_up": 1,
    "changes": 50,
    "batches": 1,
    "connections": 1,
    "seasons": 3,
    "results_per_player": 1,
}


@pytest.mark.usefixtures("database")
def test_a_tiny_run_measures_all_but_http_and_says_so_in_json(tmp_path: Path) -> None:
    report = tmp_path / "figures.json"
    only = frozenset({"publish", "rank", "neighbours", "friends", "asked", "visible"})
    call_command("benchmark", **TINY, only=only, json=report)
    told = json.loads(report.read_text())
    names = [figure["name"] for figure in told["figures"]]
    assert all(figure["values"] for figure in told["figures"])
    assert any(name.startswith("rank / bare, live") for name in names)
    assert any(name.startswith("friends p99, live") for name in names)
    assert "rank / bare, live, 600 players, as a web process asks" in names
    assert any(name.startswith("publish 50 changes, largest / smallest") for name in names)
    assert told["surroundings"]["postgres"]["server_version"]


@pytest.mark.usefixtures("database")
def test_the_phases_of_a_publication_and_the_price_of_a_seal_are_told(tmp_path: Path) -> None:
    report = tmp_path / "figures.json"
    call_command("benchmark", **TINY, only=frozenset({"phases", "sealing"}), json=report)
    names = {figure["name"] for figure in json.loads(report.read_text())["figures"]}
    phases = {"seal", "compare", "collect", "count", "check", "flip", "commit", "whole"}
    assert {f"{phase}, 250 changes, 600 players" for phase in phases} <= names
    assert "sealed at once / sealed each second, batches of 10, 300 players" in names


@pytest.mark.usefixtures("database")
def test_a_season_with_several_results_a_player_is_proved(tmp_path: Path) -> None:
    report = tmp_path / "figures.json"
    call_command("benchmark", **{**TINY, "results_per_player": 3}, only={"verify"}, json=report)
    first, second, *_ = json.loads(report.read_text())["figures"]
    assert first["name"] == "verify whole, 600 players, 1,800 ledger rows"
    assert first["met"]
    assert second["unit"] == "MB"


@pytest.mark.usefixtures("database")
def test_a_season_is_rebuilt_from_each_source_and_what_was_replaced_is_dropped(
    tmp_path: Path,
) -> None:
    report = tmp_path / "figures.json"
    call_command("benchmark", **{**TINY, "results_per_player": 3}, only={"rebuild"}, json=report)
    figures = {figure["name"]: figure for figure in json.loads(report.read_text())["figures"]}
    assert figures["rebuild from the ledger, 600 players, 1,800 ledger rows"]["met"]
    assert "rebuild from the bests: until swapped" in figures
    assert not Rebuild.objects.filter(dropped_at=None).exists()


@pytest.mark.usefixtures("database")
def test_results_are_sent_to_a_web_server_of_its_own(tmp_path: Path) -> None:
    report = tmp_path / "figures.json"
    call_command("benchmark", **{**TINY, "players": (1_500,)}, only={"http"}, json=report)
    figures = json.loads(report.read_text())["figures"]
    rates = [figure for figure in figures if figure["unit"] == "1/s"]
    where = "over HTTP, 1,500 players, 1 connections"
    assert [rate["name"] for rate in rates] == [
        f"improving results {where}",
        f"results, one in ten improving, {where}",
    ]
    assert all(rate["median"] > 0 for rate in rates)


@pytest.mark.usefixtures("database")
def test_a_file_is_imported_by_several_processes_at_once(tmp_path: Path) -> None:
    report = tmp_path / "figures.json"
    call_command("benchmark", **{**TINY, "players": (1_500,)}, only={"import"}, json=report)
    figures = json.loads(report.read_text())["figures"]
    rates = [figure for figure in figures if figure["unit"] == "1/s"]
    assert [rate["name"] for rate in rates] == [
        f"imported by {processes} processes, 1,500 players" for processes in (1, 2, 4)
    ]
    assert all(rate["median"] > 0 for rate in rates)


@pytest.mark.usefixtures("database")
def test_a_copy_of_the_server_is_killed_and_followed_and_then_gone(tmp_path: Path) -> None:
    report, costs = tmp_path / "figures.json", tmp_path / "costs.json"
    only = frozenset({"recovery", "replication"})
    call_command("benchmark", **TINY, only=only, json=report, costs=costs)
    figures = {figure["name"]: figure for figure in json.loads(report.read_text())["figures"]}
    assert figures["publishes again, killed at 60 results/s after 1 s"]["median"] > 0
    assert any(name.startswith("standby behind p99, at ") for name in figures)
    assert read_costs(costs)["recovery_s.crash"].players == 600
    assert not list(Path(tempfile.gettempdir()).glob("laurel-copy-*"))


@pytest.mark.skipif(not is_installed(), reason="wrk is not installed")
@pytest.mark.usefixtures("database")
def test_costs_are_kept_and_foretell_other_loads(tmp_path: Path) -> None:
    report, costs = tmp_path / "figures.json", written(tmp_path / "costs.json")
    one_size = {**TINY, "players": (1_500,)}
    call_command("benchmark", **one_size, only=frozenset({"costs"}), costs=costs)
    call_command("benchmark", **TINY, only={"predict"}, json=report, costs=costs)
    names = {figure["name"] for figure in json.loads(report.read_text())["figures"]}
    assert "apart by, web, ranks of 300 players, costs of 1,000,000" in names
    kept = read_costs(costs)
    assert kept["web_us.rank"].value > kept["web_us.top"].value
    assert kept["publish_s.fixed"].unit == "s"


@pytest.mark.usefixtures("database")
def test_nothing_is_foretold_from_costs_that_were_never_measured(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="was not measured: make benchmark"):
        call_command("benchmark", **TINY, only={"predict"}, costs=tmp_path / "none.json")


@pytest.mark.usefixtures("database")
def test_a_run_stops_before_the_disk_is_full_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LEFT_FREE", 10**18)
    with pytest.raises(CommandError, match="stay free"):
        call_command("benchmark", **TINY, only=frozenset({"publish"}))


@pytest.mark.usefixtures("database")
def test_what_a_run_loaded_is_dropped_if_asked(tmp_path: Path) -> None:
    report = tmp_path / "figures.json"
    call_command("benchmark", **TINY, only=frozenset({"publish"}), json=report, drop=True)
    names = [figure["name"] for figure in json.loads(report.read_text())["figures"]]
    assert names[-2:] == ["free on the disk, before the run", "free on the disk, after it"]
    assert connection.introspection.table_names() == []


@pytest.mark.usefixtures("database")
def test_a_database_with_other_seasons_is_left_alone() -> None:
    make_season("real")
    with pytest.raises(CommandError, match="has the season real"):
        call_command("benchmark", **TINY)


@pytest.mark.usefixtures("database")
def test_a_season_whose_load_was_broken_off_is_not_measured() -> None:
    make_season("bench-300")
    with pytest.raises(CommandError, match="bench-300 was not loaded whole"):
        call_command("benchmark", **TINY)


def test_a_figure_is_told_by_its_median_and_held_against_its_goal() -> None:
    quick = Figure("quick", "s", [3.0, 1.0, 2.0], at_most(2.0))
    assert (quick.median, quick.verdict) == (2.0, "met")
    assert Figure("slow", "1/s", [1.0], at_least(2.0)).verdict == "missed"


def test_a_ratio_compares_what_was_measured_in_one_turn() -> None:
    ours, bare = Figure("ours", "1/s", [1.0, 30.0]), Figure("bare", "1/s", [2.0, 40.0])
    assert list(ratios("ours / bare", ours, bare).values) == [0.5, 0.75]


def test_a_table_has_a_line_for_each_figure() -> None:
    lines = list(table([Figure("speed", "1/s", [1.0, 2_000.0], at_least(0.5))]))
    assert lines[1].startswith("speed [1/s]")
    assert lines[1].endswith(">= 0.5 met")


@pytest.mark.usefixtures("database")
def test_regions_and_crowds_are_measured_beside_the_usual_seasons(tmp_path: Path) -> None:
    report = tmp_path / "figures.json"
    tiny = {**TINY, "players": (4_000,), "changes": 1_000, "seasons": 1}
    call_command("benchmark", **tiny, only={"regions", "crowds"}, json=report)
    figures = {figure["name"]: figure for figure in json.loads(report.read_text())["figures"]}
    assert figures["publish, with / without"]["unit"] == "ratio"
    assert figures["WAL of a publication with 8 regions, 4,000 players"]["median"] > 0
    assert figures["rank p99, one-score-earliest, 4,000 players"]["median"] > 0
    assert figures["neighbours p99, at-the-top-earliest, 4,000 players"]["median"] > 0
