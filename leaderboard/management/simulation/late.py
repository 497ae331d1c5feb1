"""Results sent to a season of a series too late for it, which it moves to the next one. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.receipts import LATE_MOVED, MEMBERS, MOVED_TO
from leaderboard.management.simulation.requests import Request, Route, Told
from leaderboard.management.simulation.season import LATE_FOR_GOOD, Season


def goes_to(request: Request, seasons: Sequence[Season]) -> Season | None:
    """Return the season by the same rule that contains a late result, if there is one."""
    season, completed_at = request.season, request.items[0].completed_at
    assert season is not None
    assert completed_at is not None
    return next(
        (
            other
            for other in seasons
            if other.window == season.window and other.contains(completed_at)
        ),
        None,
    )


def again_to_series(request: Request, told: Told) -> Request:
    """Return the same result as it is sent to the whole series."""
    return Request(Route.RESULTS, (replace(request.items[0], first=told),))


def judge_late(request: Request, goal: Season | None, told: Told) -> Iterator[Finding]:
    """Return what is wrong with the receipt of a late result that should go to this season."""
    season, one = request.season, request.items[0]
    assert season is not None
    receipt = told[season.season_id]
    outcome = LATE_FOR_GOOD[season.late_policy] if goal is None else LATE_MOVED
    expected = {"event_id": one.act.event_id, "player_id": one.act.player_id, "outcome": outcome}
    if goal is not None:
        expected[MOVED_TO] = goal.season_id
    got = {name: receipt.get(name) for name in expected}
    if got != expected or receipt.keys() != MEMBERS | expected.keys():
        yield Finding("receipt", f"{one.body}, too late, should be {expected}, is {receipt}")
    if receipt.get("visible_in_version") is not None:
        yield Finding("receipt", f"{one.body}, too late, is visible: {receipt}")


def judge_replay(request: Request, goal: Season, told: Told) -> Iterator[Finding]:
    """Return what is wrong if the season to which a result was moved did not have it before."""
    receipt = told.get(goal.season_id)
    if receipt is not None and receipt.get("replayed") is not True:
        text = f"{request.items[0].body} was moved to {goal.season_id}, which had not got it"
        yield Finding("receipt", f"{text}: {receipt}")
