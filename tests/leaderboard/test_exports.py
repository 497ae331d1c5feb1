"""Results and differences as files that are there whole or not at all."""

import csv
import hashlib
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.management.exporting import Row, write_whole
from leaderboard.models import Results
from leaderboard.operations import verify_season
from leaderboard.operations.record_settlement import record_settlement
from leaderboard.operations.take_checksum import take_checksum
from leaderboard.queries import published
from leaderboard.queries.differences import Pair, moved_among, players_corrected
from tests.factories import apply, board, correct, event, make_final, publish
from tests.oracle import display_order

SCORES = {"ann": 30, "bob": 20, "cid": 20, "-dan|x,y": 10}


def said(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def final_of(slug: str) -> int:
    number = board(slug, **SCORES).number
    make_final(slug)
    assert number is not None
    return number


def is_checked(path: Path) -> bool:
    digest, name = path.with_name(path.name + ".sha256").read_text().split()
    return name == path.name and digest == hashlib.sha256(path.read_bytes()).hexdigest()


def test_csv_has_every_player_in_display_order(slug: str, tmp_path: Path) -> None:
    final = final_of(slug)
    path = tmp_path / "results.csv"
    told = said("export_results", slug, str(path))
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    assert rows[0] == ["position", "rank", "player_id", "score"]
    assert rows[1:] == [
        [str(place), str(rank), player, str(score)]
        for place, (rank, player, score) in enumerate(display_order(SCORES), 1)
    ]
    assert is_checked(path)
    assert take_checksum(slug, final).sha256 in told


def test_json_lines_say_the_same(slug: str, tmp_path: Path) -> None:
    final_of(slug)
    path = tmp_path / "results.ndjson"
    said("export_results", slug, str(path))
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [tuple(row.values()) for row in rows] == [
        (place, rank, player, score)
        for place, (rank, player, score) in enumerate(display_order(SCORES), 1)
    ]
    assert is_checked(path)


def test_a_corrected_version_is_exported_by_its_number(slug: str, tmp_path: Path) -> None:
    final_of(slug)
    correct(slug, "ann", 2)
    number = publish(slug).version
    path = tmp_path / "results.csv"
    said("export_results", slug, str(path), f"--version={number}")
    assert [row[2] for row in csv.reader(path.read_text("utf-8").splitlines())][1:] == [
        "bob",
        "cid",
        "-dan|x,y",
    ]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["export_results", "{slug}"], "not final"),
        (["export_results", "nowhere"], "no season"),
    ],
)
def test_what_cannot_be_exported_is_said_and_leaves_no_file(
    slug: str, tmp_path: Path, command: list[str], why: str
) -> None:
    path = tmp_path / "results.csv"
    with pytest.raises(CommandError, match=why):
        said(*(word.format(slug=slug) for word in command), str(path))
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_said(slug: str, tmp_path: Path) -> None:
    final_of(slug)
    with pytest.raises(CommandError, match="No such file or directory"):
        said("export_results", slug, str(tmp_path / "no" / "results.csv"))


def test_a_file_that_was_broken_off_never_has_the_name(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("of an earlier run")

    def pages() -> Iterator[Sequence[Row]]:
        yield [{"number": 1}]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(write_whole(path, ["number"], pages(), "csv"))
    assert path.read_text() == "of an earlier run"
    assert list(write_whole(path, ["number"], [[{"number": 2}]], "csv")) == [0, 1]
    assert path.read_bytes() == b"number\r\n2\r\n"
    assert is_checked(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["rows.csv", "rows.csv.sha256"]


def test_a_stored_checksum_that_is_wrong_is_found(slug: str, tmp_path: Path) -> None:
    final = final_of(slug)
    take_checksum(slug, final)
    assert verify_season(slug, version=final).agrees
    Results.objects.filter(season__slug=slug).update(sha256="0" * 64)
    with pytest.raises(CommandError, match="verify it"):
        said("export_results", slug, str(tmp_path / "results.csv"))
    assert not (tmp_path / "results.csv").exists()
    report = verify_season(slug, version=final).report
    assert [check["kind"] for check in report["checks"] if check["differing"]] == ["results"]


def corrected(slug: str) -> Pair:
    final = final_of(slug)
    correct(slug, "ann", 2)
    correct(slug, "-dan|x,y", 2, corrected_score=25)
    correct(slug, "new", 1, corrected_score=20)
    number = publish(slug).version
    assert number is not None
    return Pair(final, number)


MOVED = {
    "-dan|x,y": (4, 10, 1, 25),
    "new": (None, None, 2, 20),
    "ann": (1, 30, None, None),
}


def test_a_correction_tells_who_moved_from_where_to_where(slug: str) -> None:
    pair = corrected(slug)
    season = published(slug)
    players = players_corrected(season, pair, limit=10)
    assert players == sorted(MOVED)
    found = {moved[0]: moved[1:5] for moved in moved_among(season, pair, [*players, "bob"])}
    assert found == MOVED


def test_the_export_has_everybody_who_moved_and_who_was_paid(slug: str, tmp_path: Path) -> None:
    final = final_of(slug)
    season = published(slug)
    paid_by = take_checksum(slug, final)
    record_settlement(season, final, paid_by, settlement_id="run-1", checksum=paid_by.sha256)
    correct(slug, "cid", 2, corrected_score=15)
    correct(slug, "ann", 2)
    number = publish(slug).version
    path = tmp_path / "moved.ndjson"
    told = said("export_differences", slug, str(number), str(path))
    rows: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines()]
    assert [tuple(row.values()) for row in rows] == [
        ("bob", 2, 20, 1, 20, ["run-1"]),
        ("cid", 2, 20, 2, 15, ["run-1"]),
        ("-dan|x,y", 4, 10, 3, 10, ["run-1"]),
        ("ann", 1, 30, None, None, ["run-1"]),
    ]
    assert told == f"{path}: 4 players moved\n"
    assert is_checked(path)


def test_a_final_version_does_not_differ_from_itself(slug: str, tmp_path: Path) -> None:
    final = final_of(slug)
    with pytest.raises(CommandError, match="final version itself"):
        said("export_differences", slug, str(final), str(tmp_path / "moved.csv"))


def test_corrections_before_final_are_no_difference(slug: str) -> None:
    apply(slug, event("early", 5))
    correct(slug, "early", 2)
    pair = corrected(slug)
    assert "early" not in players_corrected(published(slug), pair, limit=10)
