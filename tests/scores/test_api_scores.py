"""`POST …/scores:apply` from the HTTP side."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from config.http.times import show_time
from scores.models import Ledger
from tests.api import SCORES, faults, post, problem, result, token
from tests.factories import make_season, publish


@pytest.fixture
def bearer(season: str) -> str:
    return token()


def test_a_single_event_gets_its_receipt_alone(bearer: str) -> None:
    response = post(SCORES, result(), bearer)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.json() == {
        "event_id": "result-1",
        "player_id": "player-1",
        "outcome": "improved",
        "replayed": False,
        "best_score": 100,
        "score_version": 1,
        "visible_in_version": response.json()["visible_in_version"],
    }


def test_a_batch_gets_its_receipts_in_request_order(bearer: str, season: str) -> None:
    numbers = [3, 1, 2]
    body = post(SCORES, {"events": [result(n) for n in numbers]}, bearer).json()
    assert list(body) == ["season_id", "leaderboard_version", "results"]
    assert (body["season_id"], body["leaderboard_version"]) == ("season", 1)
    assert [receipt["event_id"] for receipt in body["results"]] == [f"result-{n}" for n in numbers]
    version = publish(season).version
    again = post(SCORES, {"events": [result(n) for n in numbers]}, bearer).json()
    assert again["leaderboard_version"] == version


def test_a_repeated_event_is_a_replay_and_another_content_a_conflict(bearer: str) -> None:
    sent = result()
    first = post(SCORES, sent, bearer).json()
    again = post(SCORES, sent, bearer).json()
    assert again == {**first, "replayed": True}
    problem(post(SCORES, {**sent, "best_score": 101}, bearer), 409, "event_conflict")
    batch = post(SCORES, {"events": [{**sent, "best_score": 101}]}, bearer).json()
    assert batch["results"][0]["outcome"] == "conflict"
    assert Ledger.objects.count() == 1


def test_the_same_time_with_another_offset_is_the_same_content(bearer: str) -> None:
    post(SCORES, result(completed_at="2026-01-01T12:00:00.123456Z"), bearer)
    again = post(SCORES, result(completed_at="2026-01-01T14:00:00.123456999+02:00"), bearer)
    assert again.json()["replayed"] is True


def with_score(text: str) -> bytes:
    return json.dumps(result(best_score="SCORE")).replace('"SCORE"', text).encode()


SCORES_REFUSED = {
    "1e400": "type",
    "1e3": "type",
    "12.0": "type",
    '"12"': "type",
    "true": "type",
    "null": "type",
    "{}": "type",
    "-1": "out_of_range",
    "1000001": "out_of_range",
    str(2**31): "out_of_range",
    str(2**63): "out_of_range",
    "9" * 400: "out_of_range",
}


def test_a_score_is_an_integer_of_the_season(bearer: str) -> None:
    for text, code in SCORES_REFUSED.items():
        assert faults(post(SCORES, with_score(text), bearer)) == [("/best_score", code)], text
        batch = b'{"events":[' + with_score(text) + b"]}"
        assert faults(post(SCORES, batch, bearer)) == [("/events/0/best_score", code)], text
    assert not Ledger.objects.exists()


def test_what_is_no_json_is_malformed(bearer: str) -> None:
    for text in ["NaN", "Infinity", "-Infinity", "01", ".5", "0x1"]:
        problem(post(SCORES, with_score(text), bearer), 400, "malformed_json")
    for body in [b"", b"{", b"[" * 100_000, b"\xff", b'{"a":1,"a":2}']:
        problem(post(SCORES, body, bearer), 400, "malformed_json")


@pytest.mark.parametrize("member", ["event_id", "match_id", "player_id"])
def test_an_id_that_is_none_is_refused_where_it_enters(bearer: str, member: str) -> None:
    for value in ["a/b", "..", "", "x" * 65, "😀", "a\0", "a\n", 7, None]:
        found = faults(post(SCORES, {**result(), member: value}, bearer))
        assert {pointer for pointer, _ in found} == {f"/{member}"}, value


def test_half_a_surrogate_pair_is_refused(bearer: str) -> None:
    body = json.dumps(result(player_id="ID")).replace('"ID"', '"\\ud800"').encode()
    assert faults(post(SCORES, body, bearer)) == [("/player_id", "characters")]


def test_ids_of_all_kinds_stay_as_they_are(bearer: str) -> None:
    ids = ["steam:76561198122624102", "auth0|5f7c8ec7", "x,y=z", "a.b", "00012", "7", "x" * 64]
    events = [result(player_id=text, event_id=text, match_id=text) for text in ids]
    receipts = post(SCORES, {"events": events}, bearer).json()["results"]
    assert [receipt["player_id"] for receipt in receipts] == ids
    assert [receipt["event_id"] for receipt in receipts] == ids


def test_a_score_version_is_a_positive_integer(bearer: str) -> None:
    for value in [0, -1, 2**53, 2**64, 1.5, "1"]:
        (fault,) = faults(post(SCORES, result(score_version=value), bearer))
        assert fault[0] == "/score_version", value


def test_a_completion_is_a_time_with_an_offset(bearer: str) -> None:
    for value in ["2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "2026-12-31T23:59:60Z", "", 7]:
        (fault,) = faults(post(SCORES, result(completed_at=value), bearer))
        assert fault[0] == "/completed_at", value


def test_a_completion_may_lie_a_minute_ahead(bearer: str) -> None:
    now = datetime.now(UTC)
    soon, later = show_time(now + timedelta(seconds=50)), show_time(now + timedelta(seconds=90))
    assert post(SCORES, result(completed_at=soon), bearer).status_code == 200
    found = faults(post(SCORES, result(2, completed_at=later), bearer))
    assert [pointer for pointer, _ in found] == ["/completed_at"]
    found = faults(post(SCORES, {"events": [result(3), result(4, completed_at=later)]}, bearer))
    assert [pointer for pointer, _ in found] == ["/events/1/completed_at"]


def test_all_faults_of_a_batch_are_told_at_once_and_nothing_is_stored(bearer: str) -> None:
    events = [
        result(1),
        result(2, best_score=-1),
        result(3, best_score=2_000_000, extra=1),
        {**result(4, player_id="a b"), "match_id": None},
        "x",
    ]
    assert sorted(faults(post(SCORES, {"events": events}, bearer))) == [
        ("/events/1/best_score", "out_of_range"),
        ("/events/2/best_score", "out_of_range"),
        ("/events/2/extra", "unknown_member"),
        ("/events/3/match_id", "type"),
        ("/events/3/player_id", "pattern"),
        ("/events/4", "type"),
    ]
    assert not Ledger.objects.exists()


def test_a_body_is_an_object(bearer: str) -> None:
    bodies: list[object] = [[], "x", 1, None]
    for body in bodies:
        assert faults(post(SCORES, body, bearer)) == [("", "type")]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"events": []}, [("/events", "length")]),
        ({"events": 7}, [("/events", "type")]),
        ({"events": [result()] * 1_001}, [("/events", "length")]),
        ({"events": [result()], "x": 1}, [("/x", "unknown_member")]),
        ({}, [(f"/{name}", "missing") for name in result()]),
    ],
)
def test_a_batch_is_one_to_a_thousand_events(bearer: str, body: object, found: object) -> None:
    assert faults(post(SCORES, body, bearer)) == found


def test_a_batch_may_have_a_hundred_events_of_one_player(bearer: str) -> None:
    events = [result(n, player_id="ann", score_version=n) for n in range(1, 102)]
    response = post(SCORES, {"events": events[:100]}, bearer)
    assert response.json()["results"][-1]["outcome"] in {"improved", "not_improved"}
    found = faults(post(SCORES, {"events": [result(999), *events]}, bearer))
    assert found == [("/events/101/player_id", "too_many")]


def test_a_thousand_events_are_taken(bearer: str) -> None:
    events = [result(n) for n in range(1_000)]
    assert len(post(SCORES, {"events": events}, bearer).json()["results"]) == 1_000


def test_a_body_above_two_mebibytes_is_too_large(bearer: str) -> None:
    problem(post(SCORES, b" " * (2 * 1024 * 1024 + 1), bearer), 413, "payload_too_large")


def test_an_unknown_season_is_not_found(bearer: str) -> None:
    elsewhere = SCORES.replace("/season/", "/elsewhere/")
    problem(post(elsewhere, result(), bearer), 404, "season_not_found")
    problem(post(elsewhere, {}, bearer), 404, "season_not_found")
    problem(post(SCORES.replace("/season/", "/No/"), result(), bearer), 400, "invalid_parameter")


def test_a_season_that_has_not_begun_takes_nothing(bearer: str) -> None:
    now = datetime.now(UTC)
    make_season("soon", starts_at=now + timedelta(hours=1), cutoff_at=now + timedelta(hours=2))
    address = SCORES.replace("/season/", "/soon/")
    problem(post(address, result(), bearer), 409, "season_not_open")


def test_an_event_named_events_is_an_event(bearer: str) -> None:
    assert post(SCORES, result(event_id="events"), bearer).json()["event_id"] == "events"
