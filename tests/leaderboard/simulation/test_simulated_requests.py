"""What a series tells of a request, season by season, and what is wrong with it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from leaderboard.management.simulation import late
from leaderboard.management.simulation.folding import Act, Kind
from leaderboard.management.simulation.requests import (
    Request,
    Route,
    Ruling,
    Sending,
    Told,
    misplaced,
    part_of_series,
    ruling_of,
)
from leaderboard.management.simulation.season import Season

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def window(number: int, rule: str = "round") -> Season:
    begin = NOON + number * MINUTE
    name, times = f"w{number}", (begin, begin + MINUTE)
    return Season(name, 0, 100, *times, 20, "next", 1, "", ("EU",), rule)


ALWAYS = Season("always", 0, 100, None, None, 20, "next", 1, "", ("EU",), "all")
SEASONS = [ALWAYS, window(0), window(1)]


def sending(event_id: str, seconds: float, **other: Any) -> Sending:
    act = Act(event_id, "a", Kind.RESULT, 1, 5)
    return Sending(act, {"event_id": event_id}, NOON + timedelta(seconds=seconds), **other)


def receipt(outcome: str = "improved", **other: Any) -> dict[str, Any]:
    return {"event_id": "e", "player_id": "a", "outcome": outcome, "replayed": False} | other


def kinds(one: Sending, told: Told, at: float) -> list[str]:
    """Return the findings about one result, sent and answered so many seconds after noon."""
    request, moment = Request(Route.RESULTS, (one,)), NOON + timedelta(seconds=at)
    return [finding.kind for finding in misplaced(request, SEASONS, [told], moment, moment)]


def test_a_result_belongs_to_each_season_that_contains_it() -> None:
    told = {"always": receipt(), "w0": receipt()}
    assert kinds(sending("e", 30), told, 31) == []
    assert kinds(sending("e", 30), {"always": receipt()}, 31) == ["season_missing"]
    assert kinds(sending("e", 30), told | {"w1": receipt()}, 31) == ["season_extra"]
    assert kinds(sending("e", 30), told | {"w9": receipt()}, 31) == ["season_extra"]


@pytest.mark.parametrize(
    ("outcome", "at", "found"),
    [
        ("improved", 70, []),
        ("improved", 79, []),
        ("improved", 90, ["receipt"]),
        ("late_rejected", 70, ["receipt"]),
        ("late_rejected", 79, []),
        ("late_rejected", 90, []),
        (None, 70, ["season_missing"]),
        (None, 90, []),
    ],
)
def test_a_window_takes_results_until_its_grace_time_is_over(
    outcome: str | None, at: float, found: list[str]
) -> None:
    told = {"always": receipt()} | ({"w0": receipt(outcome)} if outcome else {})
    assert kinds(sending("e", 30), told, at) == found


def test_a_repeated_event_is_told_of_by_seasons_that_are_gone_as_it_was() -> None:
    first = {"always": receipt(), "w9": receipt()}
    again = {name: {**one, "replayed": True} for name, one in first.items()}
    one = sending("e", 90, first=first)
    assert kinds(one, again | {"w1": receipt()}, 91) == []
    assert kinds(one, {"always": again["always"], "w1": receipt()}, 91) == []
    changed = again | {"w1": receipt(), "w9": receipt("stale_version")}
    assert kinds(one, changed, 91) == ["receipt"]


def test_new_results_of_a_request_are_ruled_on_alike() -> None:
    items = (sending("e", 30), sending("f", 31))
    request = Request(Route.RESULTS, items, batch=True)
    for outcome, ruling in (("improved", Ruling.IN_TIME), ("late_rejected", Ruling.LATE)):
        told = [{"w0": receipt(outcome)}, {"w0": receipt(outcome)}]
        assert ruling_of(request, window(0), [told]) is ruling
    assert ruling_of(request, window(0), [[{}, {}]]) is Ruling.ABSENT
    part = part_of_series(request, window(0), [[{"w0": receipt("late_rejected")}] * 2])
    assert [item.act.ruled_out for item in part.items] == ["late_rejected"] * 2
    assert part_of_series(request, window(0), [[{}, {}]]).items == ()


def test_a_late_result_goes_to_the_season_by_the_same_rule_that_contains_it() -> None:
    request = Request(Route.LATE, (sending("e", 65),), season=window(0))
    assert late.goes_to(request, SEASONS) == window(1)
    assert late.goes_to(request, [ALWAYS, window(0), window(1, "dash")]) is None


def test_the_receipt_of_a_late_result_names_where_it_goes() -> None:
    request = Request(Route.LATE, (sending("e", 65),), season=window(0))
    stored = {"best_score": None, "score_version": None, "visible_in_version": None}
    moved = receipt("late_moved", moved_to="w1", **stored)
    rejected = receipt("late_rejected", **stored)
    assert [*late.judge_late(request, window(1), {"w0": moved})] == []
    assert [*late.judge_late(request, window(1), {"w0": moved | {"moved_to": "w2"}})]
    assert [*late.judge_late(request, window(1), {"w0": moved | {"visible_in_version": 3}})]
    assert [*late.judge_late(request, window(1), {"w0": rejected})]
    assert [*late.judge_late(request, None, {"w0": rejected})] == []
    assert [*late.judge_replay(request, window(1), {"w1": receipt()})]
    assert [*late.judge_replay(request, window(1), {"w1": receipt(replayed=True)})] == []
