"""Honest replies pass every check; a reply with one thing wrong passes none."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.management.simulation.checks import Checks
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.model import Change, Model
from leaderboard.management.simulation.questions import Asker, Place, Question, Seen
from leaderboard.management.simulation.season import Season
from leaderboard.management.simulation.standings import key_of
from leaderboard.management.simulation.timelines import Moment, Timelines
from tests.leaderboard.simulation.reference import Reference

Json = dict[str, Any]
ASKER = Asker("demo")
SEASON = Season("demo", 0, 1_000_000, None, None, 0, "reject", 10, "")
BOARDS = st.dictionaries(
    st.sampled_from([f"p{number:02}" for number in range(25)]), st.integers(0, 6), min_size=3
)


def judge(model: Model, timelines: Timelines) -> Checks:
    return Checks(SEASON, model, timelines, Friendships())


def questions(board: dict[str, int]) -> list[tuple[Question, Json | None]]:
    somebody = sorted(board)[len(board) // 2]
    found = [
        ASKER.top(5),
        ASKER.rank(somebody),
        ASKER.neighbors(somebody, 2),
        ASKER.page(4, Place()),
        ASKER.page(4, Place("around", player=somebody)),
        ASKER.page(4, Place("at_score", score=3)),
        ASKER.rank("nobody"),
        ASKER.rank(somebody, pinned=10),
        ASKER.friends(somebody),
        ASKER.rank_of(3),
        ASKER.distribution(7),
    ]
    lookup = ASKER.lookup((somebody, "nobody", min(board)))
    return [(one, None) for one in found] + [(lookup, {"player_ids": list(lookup.asked)})]


def seen(reference: Reference, question: Question, body: Json | None) -> Seen:
    status, reply = reference.handle("GET", question.path, {}, body)
    return Seen(question, status, reply, 1.0, 2.0, 10)


def faults(board: dict[str, int], one: Seen) -> list[str]:
    checks = judge(Model(10, board.items()), Timelines())
    return [finding.kind for finding in checks.check(one)]


@given(BOARDS)
def test_honest_replies_pass(board: dict[str, int]) -> None:
    reference = Reference(board)
    for question, body in questions(board):
        assert faults(board, seen(reference, question, body)) == [], question


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for name, one in value.items() for leaf in leaves(one, (*path, name))]
    if isinstance(value, list):
        return [leaf for at, one in enumerate(value) for leaf in leaves(one, (*path, at))]
    return [path]


def spoiled(body: Json, path: tuple[Any, ...]) -> Json:
    spoilt = copy.deepcopy(body)
    place: Any = spoilt
    for name in path[:-1]:
        place = place[name]
    value = place[path[-1]]
    place[path[-1]] = "p99" if value is None or isinstance(value, str) else value + 1
    return spoilt


UNJUDGED = {"as_of", "age_seconds", "leaderboard_version", "status", "detail"}


@given(BOARDS, st.data())
def test_a_reply_with_one_member_spoiled_is_found(board: dict[str, int], data: Any) -> None:
    reference = Reference(board)
    question, body = data.draw(st.sampled_from(questions(board)))
    one = seen(reference, question, body)
    path = data.draw(st.sampled_from([p for p in leaves(one.body) if p[0] not in UNJUDGED]))
    cursor = path[0] in {"next", "previous"} and one.body[path[0]] is not None
    if cursor:
        return
    wrong = Seen(question, one.status, spoiled(one.body, path), 1.0, 2.0, 10)
    assert faults(board, wrong), (question, path)


@given(BOARDS, st.data())
def test_a_list_that_lacks_or_repeats_a_row_is_found(board: dict[str, int], data: Any) -> None:
    reference = Reference(board)
    question = data.draw(st.sampled_from([ASKER.top(5), ASKER.page(5, Place())]))
    one = seen(reference, question, None)
    at = data.draw(st.integers(0, len(one.body["entries"]) - 1))
    for entries in (
        one.body["entries"][:at] + one.body["entries"][at + 1 :],
        one.body["entries"][: at + 1] + one.body["entries"][at:],
    ):
        wrong = Seen(question, 200, {**one.body, "entries": entries}, 1.0, 2.0, 10)
        assert faults(board, wrong)


@pytest.mark.parametrize("limit", [1, 3, 4, 100])
def test_pages_by_cursor_join_both_ways(limit: int) -> None:
    board = {f"p{number:02}": number % 4 for number in range(10)}
    reference = Reference(board)
    one = seen(reference, ASKER.page(limit, Place()), None)
    while one.body["next"]:
        row = one.body["entries"][-1]
        place = Place("after", key=key_of(row["score"], row["player_id"]))
        one = seen(reference, ASKER.follow(limit, place, one.body["next"], 10), None)
        assert faults(board, one) == []
    while one.body["previous"]:
        row = one.body["entries"][0]
        place = Place("before", key=key_of(row["score"], row["player_id"]))
        one = seen(reference, ASKER.follow(limit, place, one.body["previous"], 10), None)
        assert faults(board, one) == []
    assert len(one.body["entries"]) == min(limit, 10)


def kinds_of_rank(score: int | None, *changes: Change) -> list[str]:
    """Return the findings about somebody whose rank reply shows this score at version 12."""
    model = Model(10, [("a", 5), ("b", 4)])
    for change in changes:
        model.record(change)
    model.advance(12)
    checks = judge(model, Timelines())
    reply = {"rank": 1, "player_id": "a", "score": score, "pending": None}
    _, envelope = Reference({"a": 5, "b": 4}).handle("GET", ASKER.rank("a").path, {}, None)
    one = Seen(ASKER.rank("a"), 200, {**envelope, **reply}, 1.0, 2.0, 12)
    return [finding.kind for finding in checks.check(one)]


def test_a_score_from_before_an_accepted_event_is_a_lost_event() -> None:
    assert kinds_of_rank(5, Change(11, "a", 5, 9, "e")) == ["lost_event"]


def test_a_score_from_an_event_to_come_is_a_later_version() -> None:
    assert kinds_of_rank(9, Change(13, "a", 5, 9, "e")) == ["later_version"]


def test_a_score_from_nowhere_is_a_wrong_score() -> None:
    assert kinds_of_rank(7, Change(11, "a", 5, 9, "e")) == ["score"]


def pending_kinds(pending: Json | None, moment: Moment, version: int = 10) -> list[str]:
    timelines = Timelines()
    timelines.record("a", 5, moment)
    checks = judge(Model(version, [("a", 5)]), timelines)
    _, body = Reference({"a": 5}).handle("GET", ASKER.rank("a").path, {}, None)
    one = Seen(ASKER.rank("a"), 200, {**body, "pending": pending}, 1.0, 2.0, version)
    return [finding.kind for finding in checks.check(one)]


COMING = {"score": 9, "score_version": 3, "visible_in_version": 11}


def test_an_accepted_score_must_be_pending_until_its_version() -> None:
    accepted = Moment(0.1, 0.2, 9, 3, 11)
    assert pending_kinds(COMING, accepted) == []
    assert pending_kinds(None, accepted) == ["pending"]
    assert pending_kinds({**COMING, "score": 8}, accepted) == ["pending"]


def test_a_write_under_way_may_or_may_not_be_pending() -> None:
    during = Moment(1.2, 1.8, 9, 3, 11)
    assert pending_kinds(COMING, during) == []
    assert pending_kinds(None, during) == []


def test_a_write_sent_after_the_reply_is_not_pending() -> None:
    after = Moment(2.1, 2.2, 9, 3, 11)
    assert pending_kinds(COMING, after) == ["pending"]
    assert pending_kinds(None, after) == []
