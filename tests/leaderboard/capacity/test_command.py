"""`manage.py capacity`."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.leaderboard.capacity.measured import written

LOAD = ("--players", "50e6", "--updates", "200e3", "--reads", "1e6")


def told(*arguments: str) -> str:
    output = StringIO()
    call_command("capacity", *arguments, stdout=output)
    return output.getvalue()


def test_a_plan_is_a_table_and_a_verdict_for_each_budget(tmp_path: Path) -> None:
    text = told(*LOAD, "--costs", str(written(tmp_path / "costs.json")))
    assert "measured with 1,000,000 players" in text
    assert "25.6 MB/s of bare events" in text
    for budget in ("memory", "writes", "reads", "recovery"):
        assert f"\n{budget} " in text


def test_the_same_as_json(tmp_path: Path) -> None:
    costs = str(written(tmp_path / "costs.json"))
    found = json.loads(told(*LOAD, "--windows", "4", "--json", "--costs", costs))
    assert {row["name"] for row in found["rows"]} >= {"web cores, reading", "ledger a day"}
    assert len(found["verdicts"]) == 4


def test_a_version_that_never_comes_is_null_in_json(tmp_path: Path) -> None:
    costs = str(written(tmp_path / "costs.json"))
    found = json.loads(
        told(*LOAD, "--updates", "9e6", "--json", "--costs", costs),
        parse_constant=lambda name: pytest.fail(name),
    )
    rows = {row["name"]: row["value"] for row in found["rows"]}
    assert rows["accepted to visible"] is None


def test_without_a_benchmark_it_says_which_to_run(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="was not measured: make benchmark"):
        told(*LOAD, "--costs", str(tmp_path / "none.json"))


@pytest.mark.parametrize(
    "wrong",
    [
        ("--players", "0"),
        ("--players", "many"),
        ("--reads", "inf"),
        ("--improve", "1.5"),
        ("--windows", "2.5"),
        ("--headroom", "1"),
    ],
)
def test_nonsense_is_refused(tmp_path: Path, wrong: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        told(*LOAD, *wrong, "--costs", str(written(tmp_path / "costs.json")))
