"""What the demo expects, written down by hand; whatever differs from it is counted and said."""

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from leaderboard.management.season_demo.checks import Checks, first_difference
from leaderboard.management.season_demo.feed import Feed
from leaderboard.management.season_demo.model import Model
from leaderboard.management.season_demo.receipts import Book, Shown, check_receipts
from leaderboard.management.season_demo.report import table
from leaderboard.management.season_demo.traffic import Event
from tests.leaderboard.simulation.reference import Json

START, CUTOFF = "2026-05-01T00:00:00.000000Z", "2026-06-01T00:00:00.000000Z"
BEFORE, DURING = "2026-04-30T23:59:59.999999Z", "2026-05-01T00:00:00.000000Z"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each plain value inside another."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        if isinstance(part, dict | list):
            yield from leaves(part, (*path, key))
        else:
            yield (*path, key)


def altered(value: Any, path: Sequence[Any]) -> Any:
    """Return a copy with another value at the end of a way."""
    spoiled = copy.deepcopy(value)
    inner = spoiled
    for key in path[:-1]:
        inner = inner[key]
    old = inner[path[-1]]
    inner[path[-1]] = old + 1 if isinstance(old, int) else f"not {old}"
    return spoiled


# Receipts.


def sent(event_id: str, player: str, score: int, version: int, at: str = DURING) -> Event:
    return Event(event_id, "match", player, score, version, at)


BATCH = [
    sent("e1", "ann", 30, 2),
    sent("e2", "ann", 20, 1),
    sent("e3", "bob", 10, 1),
    sent("e1", "ann", 30, 2),
    sent("e3", "bob", 11, 1),
    sent("e4", "cid", 9, 1, BEFORE),
    sent("e5", "bob", 99, 2, CUTOFF),
    sent("e6", "bob", 10, 2),
    sent("old", "dan", 5, 1),
    sent("e7", "dan", 50, 1),
]


def receipt(event_id: str, player: str, outcome: str, *stored: int | None, **more: Any) -> Json:
    score, version = stored or (None, None)
    members = {"replayed": False, "best_score": score, "score_version": version}
    shown = {"visible_in_version": None, **more}
    return {"event_id": event_id, "player_id": player, "outcome": outcome, **members, **shown}


ANSWER = [
    receipt("e1", "ann", "improved", 30, 2, visible_in_version=8),
    receipt("e2", "ann", "improved", 20, 1, visible_in_version=8),
    receipt("e3", "bob", "improved", 10, 1, visible_in_version=8),
    receipt("e1", "ann", "improved", 30, 2, visible_in_version=8, replayed=True),
    receipt("e3", "bob", "conflict", 10, 2),
    receipt("e4", "cid", "before_start"),
    receipt("e5", "bob", "late_held", 10, 2),
    receipt("e6", "bob", "not_improved", 10, 2),
    receipt("old", "dan", "improved", 5, 1, visible_in_version=4, replayed=True),
    receipt("e7", "dan", "stale_version", 5, 1),
]


def receipts_checked(answer: list[Json], *, retried: bool = False) -> int:
    """Return how much differs in an answer to the batch, sent when version 7 was the newest."""
    book, checks = Book(Model()), Checks(lambda _: None)
    book.starts_at, book.cutoff_at = START, CUTOFF
    with checks.step("receipts"):
        (old,) = book.expect([BATCH[8]])
        book.remember(BATCH[8], old.receipt._replace(visible_in_version=4))
        check_receipts(checks, book.expect(BATCH), answer, 7, retried=retried)
    return checks.mismatches


def test_a_batch_gets_the_receipts_of_the_contract() -> None:
    assert receipts_checked(ANSWER) == 0


@pytest.mark.parametrize("path", list(leaves(ANSWER)))
def test_a_receipt_with_one_member_altered_is_reported(path: tuple[Any, ...]) -> None:
    assert receipts_checked(altered(ANSWER, path)) > 0


def test_a_receipt_with_a_member_too_many_is_reported() -> None:
    assert receipts_checked([{**ANSWER[0], "odd": 1}, *ANSWER[1:]]) > 0


def test_a_batch_visible_in_a_version_that_was_seen_before_it_is_reported() -> None:
    early = [{**one, "visible_in_version": one["visible_in_version"] and 7} for one in ANSWER[:8]]
    assert receipts_checked([*early, *ANSWER[8:]]) > 0


def test_after_an_attempt_without_an_answer_each_receipt_may_be_a_replay() -> None:
    assert receipts_checked([{**one, "replayed": True} for one in ANSWER], retried=True) == 0


# The feed.

DUE = {
    "e1": Shown("result", 2, 8),
    "c1": Shown("correction", 3, 10),
    "v1": Shown("void", 4, 12),
}


def change(event_id: str, kind: str, old: int | None, new: int | None, version: int) -> Json:
    return {
        "season_id": "demo",
        "player_id": "ann",
        "old_score": old,
        "new_score": new,
        "score_version": DUE[event_id].score_version,
        "event_id": event_id,
        "kind": kind,
        "region": None,
        "committed_at": DURING,
        "version": version,
    }


CHANGES = [
    change("e1", "result", None, 30, 9),
    change("c1", "correction", 30, None, 11),
    change("v1", "void", None, 30, 12),
]


def followed(changes: list[Json]) -> tuple[int, dict[str, int]]:
    """Return how much differs in a feed, and what it folds to."""
    feed, checks = Feed("demo"), Checks(lambda _: None)
    with checks.step("feed"):
        for one in changes:
            feed.take(checks, one, DUE.get(one["event_id"]))
    return checks.mismatches, feed.scores


def test_a_feed_as_promised_folds_to_the_board() -> None:
    assert followed(CHANGES) == (0, {"ann": 30})


@pytest.mark.parametrize(
    "path", [path for path in leaves(CHANGES) if path[1] not in {"committed_at", "version"}]
)
def test_a_change_with_one_member_altered_is_reported_or_folds_to_another_board(
    path: tuple[Any, ...],
) -> None:
    assert followed(altered(CHANGES, path)) != (0, {"ann": 30})


@pytest.mark.parametrize("version", [7, 13])
def test_a_change_below_its_promise_or_behind_a_later_version_is_reported(version: int) -> None:
    first = {**CHANGES[0], "version": version}
    assert followed([first, *CHANGES[1:]])[0] > 0


# The count.


def test_a_mismatch_is_said_where_it_is_with_both_values() -> None:
    said: list[str] = []
    checks = Checks(said.append)
    with checks.step("a step"):
        assert checks.equal("same", {"a": 1}, {"a": 1})
        assert not checks.equal("rows", {"rows": [1, {"rank": 2}]}, {"rows": [1, {"rank": 3}]})
    assert said[1:4] == [
        "   MISMATCH rows, at /rows/1/rank",
        "      expected 2",
        "      found    3",
    ]
    assert "2 checks, 1 MISMATCHES" in said[4]
    assert checks.mismatches == 1


@pytest.mark.parametrize(
    ("expected", "found", "place"),
    [
        ([1, 2], [1], "/1"),
        ({"a": 1}, {"a": 1, "b": 2}, "/b"),
        (b"a\nb\n", b"a\nc\n", "/1"),
        (b"a", b"b", ""),
        (1, None, ""),
    ],
)
def test_the_first_difference_is_found(expected: Any, found: Any, place: str) -> None:
    assert first_difference(expected, found)[0] == place


def test_after_many_mismatches_of_a_step_the_rest_is_only_counted() -> None:
    said: list[str] = []
    checks = Checks(said.append)
    with checks.step("a step"):
        for number in range(1000):
            checks.equal("number", number, -1)
    assert checks.mismatches == 1000
    assert len(said) < 50


def test_what_took_too_long_is_a_mismatch() -> None:
    checks = Checks(lambda _: None)
    with checks.step("a step"):
        assert checks.within("quick", 4.9, 5.0)
        assert not checks.within("slow", 5.1, 5.0)
    assert checks.mismatches == 1


def test_the_table_has_each_step_and_their_sum() -> None:
    checks = Checks(lambda _: None)
    for title in ("first", "second"):
        with checks.step(title), checks.timed("events", 5):
            checks.equal("one", 1, 2)
    lines = list(table(checks.steps))
    assert lines[2].split()[:4] == ["1.", "first", "1", "1"]
    assert "5 events (" in lines[3]
    assert lines[4].split()[:3] == ["all", "2", "2"]
