"""`POST …/corrections` from the HTTP side."""

from typing import Any

import pytest

from scores.models import Ledger
from tests.api import CORRECTIONS, SCORES, correction, faults, post, problem, result, token


@pytest.fixture
def bearer(season: str) -> str:
    made = token()
    post(SCORES, result(), made)
    return made


def test_a_score_is_set_also_downwards(bearer: str) -> None:
    receipt = post(CORRECTIONS, correction(corrected_score=0), bearer).json()
    assert (receipt["outcome"], receipt["best_score"]) == ("corrected", 0)
    assert post(CORRECTIONS, correction(corrected_score=0), bearer).json()["replayed"] is True


def test_null_removes_and_a_void_brings_back(bearer: str) -> None:
    removed = post(CORRECTIONS, correction(), bearer).json()
    assert (removed["outcome"], removed["best_score"]) == ("corrected", None)
    void = correction(2, score_version=3, void_event_id="correction-1")
    assert post(CORRECTIONS, void, bearer).json()["best_score"] == 100


def test_an_older_version_is_stale(bearer: str) -> None:
    stale = post(CORRECTIONS, correction(score_version=1), bearer).json()
    assert (stale["outcome"], stale["best_score"]) == ("stale_version", 100)


def test_the_same_id_with_other_content_is_a_conflict(bearer: str) -> None:
    post(CORRECTIONS, correction(), bearer)
    changed = correction(reason="another")
    problem(post(CORRECTIONS, changed, bearer), 409, "event_conflict")
    problem(post(CORRECTIONS, correction(event_id="result-1"), bearer), 409, "event_conflict")


def test_what_is_voided_must_be_the_players(bearer: str) -> None:
    post(SCORES, result(7), bearer)
    for wrong in ("nothing", "result-7"):
        found = faults(post(CORRECTIONS, correction(void_event_id=wrong), bearer))
        assert [pointer for pointer, _ in found] == ["/void_event_id"]


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"corrected_score": 5.0}, "/corrected_score", "type"),
    ({"corrected_score": -1}, "/corrected_score", "out_of_range"),
    ({"corrected_score": 1_000_001}, "/corrected_score", "out_of_range"),
    ({"reason": ""}, "/reason", "length"),
    ({"reason": "x" * 501}, "/reason", "length"),
    ({"evidence": "x" * 2_001}, "/evidence", "length"),
    ({"approved_by": "x" * 65}, "/approved_by", "length"),
    ({"reason": "a\0b"}, "/reason", "characters"),
    ({"corrects_event_id": "a b"}, "/corrects_event_id", "pattern"),
    ({"achieved_at": None}, "/achieved_at", "exclusive"),
    ({"corrected_score": 5, "achieved_at": "now"}, "/achieved_at", "time"),
    ({"void_event_id": "x", "corrected_score": 5}, "/void_event_id", "exclusive"),
    ({"created_at": "x"}, "/created_at", "unknown_member"),
    ({"score_version": 0}, "/score_version", "out_of_range"),
]


def test_a_fault_is_pointed_at(bearer: str) -> None:
    for members, pointer, code in REFUSED:
        found = faults(post(CORRECTIONS, correction(**members), bearer))
        assert found == [(pointer, code)], members
    assert Ledger.objects.count() == 1


def test_either_a_score_or_an_event_to_void_is_needed(bearer: str) -> None:
    body = correction()
    del body["corrected_score"]
    assert faults(post(CORRECTIONS, body, bearer)) == [("/corrected_score", "missing")]


@pytest.mark.parametrize("achieved_at", [None, "2026-01-01T00:00:00Z"])
def test_the_time_of_a_score_can_be_set_or_cleared(bearer: str, achieved_at: str | None) -> None:
    body = correction(corrected_score=5, achieved_at=achieved_at)
    assert post(CORRECTIONS, body, bearer).status_code == 200
    row = Ledger.objects.get(kind="correction")
    assert row.keeps_time is False
    assert (row.achieved_at is None) == (achieved_at is None)
    problem(post(CORRECTIONS, correction(corrected_score=5), bearer), 409, "event_conflict")


def test_letters_of_all_scripts_are_kept(bearer: str) -> None:
    body = correction(corrected_score=5, reason="betrügt 😀", evidence="line\nline")
    assert post(CORRECTIONS, body, bearer).status_code == 200
    assert Ledger.objects.get(kind="correction").reason == "betrügt 😀"
