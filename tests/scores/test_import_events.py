"""`manage.py import_events`: every line counts once, whatever happens on the way."""

import itertools
import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scores.management.importing import Mark, Part, Progress, Rejects, deliver
from scores.models import Ledger
from tests.factories import apply, event, make_season

COMPLETED = "2026-01-01T12:00:00Z"


def line(number: int, **members: Any) -> str:
    return json.dumps(
        {
            "event_id": f"e-{number}",
            "match_id": "m",
            "player_id": f"p-{number}",
            "best_score": number,
            "score_version": 1,
            "completed_at": COMPLETED,
            **members,
        }
    )


def written(folder: Path, *lines: str) -> Path:
    path = folder / "events.ndjson"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def season(database: str) -> str:
    return make_season("season", starts_at=datetime(2025, 1, 1, tzinfo=UTC)).slug


def test_every_line_is_delivered(season: str, tmp_path: Path) -> None:
    call_command("import_events", season, written(tmp_path, *map(line, range(2500))))
    assert Ledger.objects.filter(outcome="improved").count() == 2500


def test_a_file_delivered_twice_counts_once(season: str, tmp_path: Path) -> None:
    path = written(tmp_path, *map(line, range(20)))
    call_command("import_events", season, path)
    call_command("import_events", season, path)
    assert Ledger.objects.count() == 20


def test_blank_lines_and_a_missing_last_line_end_do_no_harm(season: str, tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_text(f"\n{line(1)}\n\n{line(2)}", "utf-8")
    call_command("import_events", season, path)
    assert Ledger.objects.count() == 2


def test_rejected_lines_are_named_and_the_others_taken(season: str, tmp_path: Path) -> None:
    apply(season, event("ann", 1, event_id="e-6"))
    lines = [
        line(1),
        "{not json",
        line(3, best_score="12"),
        line(4, best_score=1_000_001),
        line(5, completed_at="2999-01-01T00:00:00Z"),
        line(6),
        line(7),
    ]
    path = written(tmp_path, *lines)
    with pytest.raises(CommandError, match="5 lines were rejected"):
        call_command("import_events", season, path)
    rejects = (tmp_path / "events.ndjson.season.rejects").read_text("utf-8").splitlines()
    found = [json.loads(reject) for reject in rejects]
    assert sorted(reject["line"] for reject in found) == [2, 3, 4, 5, 6]
    by_line = {reject["line"]: reject["errors"][0] for reject in found}
    assert by_line[2]["code"] == "malformed_json"
    assert by_line[3]["pointer"] == "/best_score"
    assert by_line[4]["pointer"] == "/best_score"
    assert by_line[5]["pointer"] == "/completed_at"
    assert by_line[6]["code"] == "conflict"
    assert set(Ledger.objects.values_list("event_id", flat=True)) == {"e-1", "e-6", "e-7"}


def test_an_import_that_was_stopped_goes_on_where_it_stopped(season: str, tmp_path: Path) -> None:
    path = written(tmp_path, "{not json", *map(line, range(1, 3000)))
    progress = Progress(path, season)
    rejects = Rejects(path, season, anew=True)
    with path.open("rb") as file:
        for delivered in itertools.islice(deliver(file, season, Mark()), 2):
            rejects.add(delivered.rejects)
            progress.write(delivered.end)
    assert Ledger.objects.count() == 2000
    with pytest.raises(CommandError, match="1 lines were rejected"):
        call_command("import_events", season, path, stdout=(out := StringIO()))
    assert out.getvalue() == "improved: 999\n"
    assert Ledger.objects.count() == 2999
    assert not (tmp_path / "events.ndjson.season.progress").exists()


def test_more_than_a_hundred_events_of_one_player_are_delivered(
    season: str, tmp_path: Path
) -> None:
    lines = [line(n, player_id="ann", score_version=n) for n in range(1, 251)]
    call_command("import_events", season, written(tmp_path, *lines))
    assert Ledger.objects.filter(outcome="improved").count() == 250


def test_a_season_that_does_not_exist_is_said(database: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no season"):
        call_command("import_events", "nowhere", written(tmp_path, line(1)))


def test_a_season_that_does_not_exist_is_said_for_an_empty_file_too(
    database: str, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="no season"):
        call_command("import_events", "nowhere", written(tmp_path))


def test_a_file_that_does_not_exist_is_said(season: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_events", season, tmp_path / "missing")


def test_the_parts_of_a_file_are_together_the_whole_file(season: str, tmp_path: Path) -> None:
    path = written(tmp_path, *map(line, range(200)))
    ledgers = []
    for part in ("2/3", "1/3", "3/3"):
        call_command("import_events", season, path, part=Part(*map(int, part.split("/"))))
        ledgers.append(Ledger.objects.count())
    assert 0 < ledgers[0] < ledgers[1] < ledgers[2] == 200


def test_a_players_results_are_of_one_part_and_keep_their_order(
    season: str, tmp_path: Path
) -> None:
    players = [f"p-{number % 7}" for number in range(70)]
    lines = [
        line(number, player_id=player, score_version=number + 1, best_score=1000 - number)
        for number, player in enumerate(players)
    ]
    path = written(tmp_path, *lines)
    for number in (4, 3, 2, 1):
        call_command("import_events", season, path, part=Part(number, 4))
    assert not Ledger.objects.filter(outcome="stale_version").exists()
    assert Ledger.objects.filter(outcome="improved").count() == 7


@pytest.mark.parametrize(
    "spelled",
    [
        '{"display": {"player_id": "bob"}, "player_id": "ann"}',
        '{"player\\u005fid": "ann"}',
        '{"player_id": "a\\u006en", "display": "\\ud800"}',
        '{"best_score": 1e400, "player_id": "ann"}',
    ],
)
def test_a_player_is_known_however_a_line_is_written(spelled: str) -> None:
    parts = [Part(number, 64) for number in range(1, 65)]
    plain = [part for part in parts if part.has(b'{"player_id": "ann"}')]
    assert [part for part in parts if part.has(spelled.encode())] == plain
    assert len(plain) == 1


@pytest.mark.parametrize("unclear", ["", "{not json", "[]", "\\", '{"player_id": 1}', "{}"])
def test_a_line_of_nobody_is_the_first_parts(unclear: str) -> None:
    assert [Part(number, 3).has(unclear.encode()) for number in (1, 2, 3)] == [True, False, False]


def test_a_rejected_line_is_named_once_by_its_number_in_the_file(
    season: str, tmp_path: Path
) -> None:
    path = written(tmp_path, line(1), "{not json", *map(line, range(3, 50)))
    with pytest.raises(CommandError, match=r"1 lines were rejected: .*\.1of2\.rejects"):
        call_command("import_events", season, path, part=Part(1, 2))
    call_command("import_events", season, path, part=Part(2, 2))
    assert json.loads((tmp_path / "events.ndjson.season.1of2.rejects").read_text())["line"] == 2
    assert not (tmp_path / "events.ndjson.season.2of2.rejects").exists()
    assert Ledger.objects.count() == 48


def test_each_part_goes_on_where_it_stopped(season: str, tmp_path: Path) -> None:
    path, part = written(tmp_path, *map(line, range(5000))), Part(2, 2)
    with path.open("rb") as file:
        first = next(deliver(file, season, Mark(), part))
    Progress(path, season, part).write(first.end)
    call_command("import_events", season, path, part=part, stdout=(rest := StringIO()))
    assert rest.getvalue() == f"improved: {Ledger.objects.count() - 1000}\n"
    call_command("import_events", season, path, part=Part(1, 2))
    assert Ledger.objects.count() == 5000


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "1/", "/2", "-1/2", "a/b", "1/0"])
def test_what_is_no_part_is_refused(season: str, tmp_path: Path, text: str) -> None:
    with pytest.raises(CommandError, match="not a part such as 2/4"):
        call_command("import_events", season, str(written(tmp_path, line(1))), f"--part={text}")
