"""Results as the demo expects them, written down by hand, and with faults."""

import copy
import hashlib
from pathlib import Path
from typing import Any

import pytest

from leaderboard.management.season_demo.model import Board, moves
from leaderboard.management.season_demo.paying import compare_file, walk_results
from leaderboard.management.season_demo.reading import Sight
from leaderboard.management.season_demo.results import (
    checksum,
    checksum_file,
    differences_file,
    results_file,
)
from tests.leaderboard.season_demo.staged import staged
from tests.leaderboard.simulation.reference import Answer, Json

SCORES = {"ann": 30, "x,y=z": 20, "cid": 20, "dan": 10}
LINES = "1,1,ann,30\n2,2,cid,20\n3,2,x,y=z,20\n4,4,dan,10\n"
SHA256 = hashlib.sha256(LINES.encode()).hexdigest()
SEALED_AT = "2026-06-02T00:00:00.000000Z"


def results_served(spoil: Any = None) -> tuple[int, str]:
    """Return what differs and what was said of a walk over results, two rows a page."""
    rows = [line.rsplit(",", 1) for line in LINES.splitlines()]
    entries = [
        {
            "rank": int(head.split(",")[1]),
            "position": int(head.split(",")[0]),
            "player_id": head.split(",", 2)[2],
            "score": int(score),
        }
        for head, score in rows
    ]

    def handle(method: str, url: str, headers: Any, body: Json | None) -> Answer:
        at = 2 if "cursor=more" in url else 0
        page = {
            **Sight("demo", 12, Board(SCORES), final=True, as_of=SEALED_AT).head(),
            "checksum": {"algorithm": "sha256", "value": SHA256},
            "entries": copy.deepcopy(entries[at : at + 2]),
            "next": None if at else "more",
        }
        if spoil is not None:
            spoil(page)
        return 200, page

    said: list[str] = []
    with staged(handle, said) as stage:
        walk_results(stage, Sight("demo", 12, Board(SCORES), final=True, as_of=SEALED_AT))
    return stage.checks.mismatches, "\n".join(said)


def another_checksum(page: Json) -> None:
    page["checksum"]["value"] = "0" * 64


def lost_player(page: Json) -> None:
    page["entries"] = [row for row in page["entries"] if row["player_id"] != "cid"]


def rank_plus_one(page: Json) -> None:
    for row in page["entries"]:
        row["rank"] += row["player_id"] == "dan"


def another_version(page: Json) -> None:
    page["leaderboard_version"] += 1


def test_honest_results_pass() -> None:
    mismatches, said = results_served()
    assert mismatches == 0, said


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (another_checksum, "checksum of the results, at /checksum/value"),
        (lost_player, "line 2 of the results, at /position"),
        (rank_plus_one, "line 4 of the results, at /rank"),
        (another_version, "head of checksum of the results, at /leaderboard_version"),
    ],
)
def test_results_with_a_fault_are_reported(spoil: Any, words: str) -> None:
    mismatches, said = results_served(spoil)
    assert mismatches > 0
    assert f"MISMATCH {words}" in said


def test_results_that_never_end_are_reported() -> None:
    def leads_on(page: Json) -> None:
        page["next"] = "again"

    mismatches, _ = results_served(leads_on)
    assert mismatches > 0


def test_lost_players_at_the_end_are_reported() -> None:
    def ends_early(page: Json) -> None:
        page["next"] = None

    mismatches, _ = results_served(ends_early)
    assert mismatches == 2


def test_checksum_and_files_are_those_of_the_contract() -> None:
    board = Board(SCORES)
    assert checksum(board) == SHA256
    assert results_file(board.rows).decode() == (
        "position,rank,player_id,score\r\n"
        '1,1,ann,30\r\n2,2,cid,20\r\n3,2,"x,y=z",20\r\n4,4,dan,10\r\n'
    )
    left = Board({name: score for name, score in SCORES.items() if name != "cid"} | {"eve": 1})
    assert differences_file(moves(board, left), ["one", "two"]).decode() == (
        "player_id,old_rank,old_score,new_rank,new_score,settlements\r\n"
        "dan,4,10,3,10,one two\r\neve,,,4,1,\r\ncid,2,20,,,one two\r\n"
    )
    assert checksum_file(b"content", "name") == (
        b"ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73  name\n"
    )


@pytest.mark.parametrize(
    ("content", "beside", "mismatches"),
    [
        (b"a\r\nb\r\n", b"a\r\nb\r\n", 0),
        (b"a\r\nc\r\n", b"a\r\nb\r\n", 1),
        (b"a\r\nb\r\n", b"a\r\n", 1),
    ],
)
def test_a_file_is_compared_byte_for_byte_and_so_is_its_checksum(
    tmp_path: Path, content: bytes, beside: bytes, mismatches: int
) -> None:
    (tmp_path / "file").write_bytes(content)
    (tmp_path / "file.sha256").write_bytes(checksum_file(beside, "file"))
    with staged(lambda *_: (404, {}), [], tmp_path) as stage:
        compare_file(stage, "file", b"a\r\nb\r\n")
    assert stage.checks.mismatches == mismatches
