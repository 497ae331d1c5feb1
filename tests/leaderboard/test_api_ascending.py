"""
Seasons in which the lower score wins, and those that keep the latest one, through HTTP.

What is stored is mirrored within 3 to 43; nobody outside may see it.
"""

import csv
import hashlib
import json
import re
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from config.http.times import show_time
from leaderboard.operations import finalize_season
from scores.operations import (
    WantedCorrection,
    approve_correction,
    release_held,
    request_correction,
    set_friends,
)
from scores.rules import friend_list
from seasons.operations import close_season
from tests.api import (
    BOARD,
    CHANGES,
    CORRECTIONS,
    PLAYERS,
    SCORES,
    correction,
    faults,
    get,
    post,
    problem,
    result,
    token,
)
from tests.factories import board, correct, make_final, make_season, move, publish
from tests.own_database import Once
from tests.people import chief, client_of, text_of

RESULTS = "/internal/v1/seasons/season/results"
HELD = "/internal/v1/seasons/season/held"
ON_BOARD = {"ann": 3, "bob": 10, "cid": 10, "dan": 42, "eve": 43}
REASON = {"actor": "eve", "reason": "it is over"}


def make_ascending() -> str:
    rules = {"order": "asc", "score_min": 3, "score_max": 43, "regions": ("EU",)}
    return make_season("season", late_policy="review", grace_seconds=0, **rules).slug


def play() -> None:
    """Play such a season, with everybody in one region."""
    slug = make_ascending()
    move(**dict.fromkeys(ON_BOARD, "EU"))
    board(slug, **ON_BOARD)


@pytest.fixture
def ascending(database: str) -> str:
    return make_ascending()


@pytest.fixture
def played(once: Once) -> None:
    """Let the test read a season that was played."""
    once(play)


@pytest.fixture
def bearer(ascending: str) -> str:
    return token("scores:apply", "scores:correct", "changes:read", "results:read")


def send(bearer: str, number: int, player: str, score: int, version: int) -> dict[str, Any]:
    sent = result(number, player_id=player, best_score=score, score_version=version)
    response = post(SCORES, sent, bearer)
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def outcome(receipt: dict[str, Any]) -> tuple[Any, ...]:
    return receipt["outcome"], receipt["best_score"], receipt["score_version"]


def rows(entries: list[dict[str, Any]]) -> list[tuple[int, str, int]]:
    return [(entry["rank"], entry["player_id"], entry["score"]) for entry in entries]


EVERYBODY = [(1, "ann", 3), (2, "bob", 10), (2, "cid", 10), (4, "dan", 42), (5, "eve", 43)]


def test_receipts_tell_what_was_sent_and_what_is_stored(bearer: str) -> None:
    assert outcome(send(bearer, 1, "ann", 30, 1)) == ("improved", 30, 1)
    assert outcome(send(bearer, 2, "ann", 31, 2)) == ("not_improved", 30, 2)
    assert outcome(send(bearer, 3, "ann", 29, 3)) == ("improved", 29, 3)
    assert outcome(send(bearer, 4, "ann", 5, 3)) == ("stale_version", 29, 3)
    assert outcome(send(bearer, 5, "bob", 3, 1)) == ("improved", 3, 1)
    assert outcome(send(bearer, 6, "bob", 43, 2)) == ("not_improved", 3, 2)


def test_a_batch_counts_the_lowest(bearer: str) -> None:
    events = [
        result(number, player_id="ann", best_score=score, score_version=number)
        for number, score in enumerate((20, 25, 15), 1)
    ]
    found = post(SCORES, {"events": events}, bearer).json()["results"]
    assert [outcome(receipt) for receipt in found] == [
        ("improved", 20, 1),
        ("not_improved", 20, 2),
        ("improved", 15, 3),
    ]


def test_a_replay_and_a_conflict_go_by_what_was_sent(bearer: str) -> None:
    sent = result(1, player_id="ann", best_score=30)
    first = post(SCORES, sent, bearer).json()
    send(bearer, 2, "ann", 4, 2)
    assert post(SCORES, sent, bearer).json() == {**first, "replayed": True}
    mirrored = {**sent, "best_score": 3 + 43 - 30}
    problem(post(SCORES, mirrored, bearer), 409, "event_conflict")
    batch = post(SCORES, {"events": [mirrored, sent]}, bearer).json()["results"]
    assert outcome(batch[0]) == ("conflict", 4, 2)
    assert batch[1] == {**first, "replayed": True}


@pytest.mark.parametrize("score", [2, 44])
def test_the_range_is_that_of_the_scores_that_people_see(bearer: str, score: int) -> None:
    assert faults(post(SCORES, result(best_score=score), bearer)) == [
        ("/best_score", "out_of_range")
    ]
    sent = correction(corrected_score=score)
    assert faults(post(CORRECTIONS, sent, bearer)) == [("/corrected_score", "out_of_range")]
    problem(get(f"{BOARD}/rank-of?score={score}"), 400, "invalid_parameter")


def test_a_correction_sets_the_score_that_it_names(bearer: str) -> None:
    send(bearer, 1, "ann", 30, 1)
    sent = correction(1, player_id="ann", corrected_score=41)
    first = post(CORRECTIONS, sent, bearer).json()
    assert outcome(first) == ("corrected", 41, 2)
    assert post(CORRECTIONS, sent, bearer).json() == {**first, "replayed": True}
    mirrored = {**sent, "corrected_score": 3 + 43 - 41}
    problem(post(CORRECTIONS, mirrored, bearer), 409, "event_conflict")
    stale = correction(2, player_id="ann", corrected_score=5)
    assert outcome(post(CORRECTIONS, stale, bearer).json()) == ("stale_version", 41, 2)
    void = correction(3, player_id="ann", score_version=3, void_event_id="correction-1")
    assert outcome(post(CORRECTIONS, void, bearer).json()) == ("corrected", 30, 3)
    removal = correction(4, player_id="ann", score_version=4)
    assert outcome(post(CORRECTIONS, removal, bearer).json()) == ("corrected", None, 4)
    assert outcome(send(bearer, 2, "ann", 12, 5)) == ("improved", 12, 5)
    back = correction(5, player_id="ann", score_version=6, void_event_id="correction-4")
    assert outcome(post(CORRECTIONS, back, bearer).json()) == ("corrected", 12, 6)


def test_the_lowest_score_is_first_in_every_read(ascending: str) -> None:
    move(ann="EU", dan="EU", eve="EU")
    board(ascending, **ON_BOARD)
    set_friends(friend_list("cid", [*ON_BOARD], 1))
    assert rows(get(f"{BOARD}/top").json()["entries"]) == EVERYBODY
    assert rows(get(f"{BOARD}/page").json()["entries"]) == EVERYBODY
    looked_up = post(f"{BOARD}/lookup", {"player_ids": [*ON_BOARD]}).json()["entries"]
    assert rows(looked_up) == rows(get(f"{PLAYERS}/cid/friends").json()["entries"]) == EVERYBODY
    around = get(f"{PLAYERS}/cid/neighbors").json()
    assert rows([*around["above"], around["player"], *around["below"]]) == EVERYBODY
    assert rows([get(f"{PLAYERS}/{player}/rank").json() for player in ON_BOARD]) == EVERYBODY
    assert rows(get(f"{BOARD}/top?region=EU").json()["entries"]) == [
        (1, "ann", 3),
        (2, "dan", 42),
        (3, "eve", 43),
    ]


@pytest.mark.parametrize("region", ["", "&region=EU"])
@pytest.mark.parametrize("score", [0, 2, 3, 4, 10, 11, 42, 43, 44, 1_000_000_000])
def test_a_page_at_a_score_goes_on_to_the_higher_ones(
    played: None, score: int, region: str
) -> None:
    body = get(f"{BOARD}/page?at_score={score}{region}").json()
    expected = [row for row in EVERYBODY if row[2] >= score]
    assert rows(body["entries"]) == expected
    places = [place for place, row in enumerate(EVERYBODY, 1) if row[2] >= score]
    assert [entry["position"] for entry in body["entries"]] == places
    before = [row for row in EVERYBODY if row[2] < score]
    if before:
        back = get(f"{BOARD}/page?cursor={body['previous']}{region}").json()
        assert rows(back["entries"]) == before
    else:
        assert body["previous"] is None


@pytest.mark.parametrize("region", ["", "&region=EU"])
@pytest.mark.parametrize(
    ("score", "rank", "below"), [(3, 1, 4), (4, 2, 4), (10, 2, 2), (42, 4, 1), (43, 5, 0)]
)
def test_a_lower_score_would_have_a_better_rank(
    played: None, score: int, rank: int, below: int, region: str
) -> None:
    body = get(f"{BOARD}/rank-of?score={score}{region}").json()
    assert (body["score"], body["rank"], body["players_below"]) == (score, rank, below)


@pytest.mark.parametrize("region", ["", "&region=EU"])
def test_a_distribution_is_of_the_scores_that_people_see(played: None, region: str) -> None:
    body = get(f"{BOARD}/distribution?buckets=2&percentile=80{region}").json()
    assert body["buckets"] == [
        {"from": 3, "to": 22, "count": 3},
        {"from": 23, "to": 43, "count": 2},
    ]
    assert body["score_for_percentile"] == {"percentile": 80, "score": 42}
    assert (body["percentiles"]["p1"], body["percentiles"]["p99"]) == (3, 43)


def test_a_pending_score_is_the_one_that_was_sent(bearer: str, ascending: str) -> None:
    board(ascending, ann=30)
    send(bearer, 1, "ann", 12, 2)
    assert get(f"{PLAYERS}/ann/rank").json()["pending"]["score"] == 12
    send(bearer, 2, "bob", 40, 1)
    refused = problem(get(f"{PLAYERS}/bob/rank"), 404, "player_not_ranked")
    assert refused["pending"]["score"] == 40


def test_changes_tell_the_scores_that_people_see(bearer: str, ascending: str) -> None:
    board(ascending, ann=30)
    send(bearer, 1, "ann", 12, 2)
    correct(ascending, "ann", 3, corrected_score=41)
    correct(ascending, "ann", 4)
    publish(ascending)
    found = get(CHANGES, authorization=f"Bearer {bearer}").json()["changes"]
    assert [(change["old_score"], change["new_score"]) for change in found] == [
        (None, 30),
        (30, 12),
        (12, 41),
        (41, None),
    ]


def test_results_exports_and_the_checksum_agree(
    bearer: str, ascending: str, tmp_path: Path
) -> None:
    board(ascending, **ON_BOARD)
    close_season(ascending, **REASON)
    assert finalize_season(ascending, **REASON).outcome == "final"
    body = get(RESULTS, authorization=f"Bearer {bearer}").json()
    assert rows(body["entries"]) == EVERYBODY
    lines = [f"{place},{rank},{player},{score}" for place, (rank, player, score) in
             enumerate(EVERYBODY, 1)]  # fmt: skip
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert body["checksum"] == {"algorithm": "sha256", "value": digest}
    path = tmp_path / "results.csv"
    call_command("export_results", ascending, str(path), stdout=StringIO())
    written = list(csv.reader(path.read_text("utf-8").splitlines()))
    assert written[1:] == [line.split(",") for line in lines]


def test_differences_are_told_in_the_scores_that_people_see(
    ascending: str, tmp_path: Path
) -> None:
    board(ascending, **ON_BOARD)
    make_final(ascending)
    correct(ascending, "ann", 2, corrected_score=40)
    number = publish(ascending).version
    path = tmp_path / "moved.ndjson"
    call_command("export_differences", ascending, str(number), str(path), stdout=StringIO())
    moved = [tuple(json.loads(line).values())[:5] for line in path.read_text().splitlines()]
    assert moved == [("bob", 2, 10, 1, 10), ("cid", 2, 10, 1, 10), ("ann", 1, 3, 3, 40)]


def test_a_held_result_is_shown_and_let_in_as_it_was_sent(bearer: str, ascending: str) -> None:
    board(ascending, ann=30)
    close_season(ascending, **REASON)
    late = result(player_id="ann", best_score=12, score_version=2)
    late["completed_at"] = show_time(datetime.now(UTC))
    assert outcome(post(SCORES, late, bearer).json()) == ("late_held", 30, 1)
    (held,) = get(HELD, authorization=f"Bearer {bearer}").json()["held"]
    assert held["best_score"] == 12
    receipt = release_held(ascending, "result-1", actor="eve", reason="a lost connection")
    assert (receipt.outcome, receipt.best_score) == ("improved", 12)


def facts(page: str) -> dict[str, str]:
    found = re.findall(r"<dt[^>]*>(.*?)</dt>\s*<dd[^>]*>(.*?)</dd>", page, re.DOTALL)
    return {label: re.sub("<[^>]*>", "", value).strip() for label, value in found}


def test_the_admin_shows_and_takes_the_scores_that_people_see(bearer: str, ascending: str) -> None:
    board(ascending, ann=30, bob=20)
    send(bearer, 1, "ann", 12, 2)
    publish(ascending)
    client = client_of(chief())
    address = reverse("admin:scores_best_player", args=[ascending, "ann"])
    page = text_of(client.get(address))
    assert facts(page)["Rank now"].startswith("1 of 2")
    assert facts(page)["Rank now"].endswith("with 12")
    assert facts(page)["Score"] == "12"
    assert ">34<" not in page
    wanted = WantedCorrection("ann", "set", "why", corrected_score=41)
    asked = request_correction(ascending, wanted, requested_by=chief())
    assert approve_correction(asked.id, decided_by=chief(), reason="so").best_score == 41
    removal = WantedCorrection("ann", "remove", "why")
    asked = request_correction(ascending, removal, requested_by=chief())
    approve_correction(asked.id, decided_by=chief(), reason="so")
    shown = facts(text_of(client.get(address)))
    assert (shown["Hidden best"], shown["Removed"]) == ("41", "yes")


def test_an_imported_file_has_the_scores_that_people_see(ascending: str, tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    lines = [result(number, best_score=score) for number, score in enumerate((20, 5), 1)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    call_command("import_events", ascending, str(path), stdout=StringIO())
    publish(ascending)
    assert rows(get(f"{BOARD}/top").json()["entries"]) == [
        (1, "player-2", 5),
        (2, "player-1", 20),
    ]


def test_the_detail_tells_the_rules(played: None) -> None:
    body = get("/v1/seasons/season").json()
    assert (body["order"], body["keep"], body["score_min"], body["score_max"]) == (
        "asc", "best", 3, 43,
    )  # fmt: skip
