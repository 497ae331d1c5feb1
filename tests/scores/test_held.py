"""Results that came too late are held, and somebody lets each in or refuses it."""

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest
from django.contrib.auth.models import User

from config.errors import HeldResultDecided, SeasonNotFound, ValidationFailed
from leaderboard.operations import verify_season
from leaderboard.operations.rebuild import rebuild_season
from leaderboard.queries.changes import Position, changes
from scores.models import Best, Ledger
from scores.operations import refuse_held, release_held
from scores.operations.decide_correction import approve_correction
from scores.operations.request_correction import WantedCorrection, request_correction
from scores.queries.held_results import held_results
from scores.rules import Receipt, tie_key_of
from seasons.models import Season
from seasons.operations import close_season
from tests.api import get, problem, token
from tests.factories import (
    apply,
    board,
    correct,
    event,
    make_final,
    make_season,
    publish,
    unused_slug,
)

HELD = "/internal/v1/seasons/{}/held"


@pytest.fixture
def slug(shared: str) -> str:
    """Give the test a season that holds late results."""
    return make_season(unused_slug(), late_policy="review").slug


def close(slug: str) -> None:
    close_season(slug, actor="eve", reason="over")


def held(slug: str, player: str, score: int, version: int, event_id: str = "late") -> None:
    late = event(player, score, version, event_id=event_id)
    assert apply(slug, late)[0].outcome == "late_held"


def release(slug: str, event_id: str = "late") -> Receipt:
    return release_held(slug, event_id, actor="eve", reason="he was first")


def refuse(slug: str, event_id: str = "late") -> Receipt:
    return refuse_held(slug, event_id, actor="eve", reason="too late")


def approve(slug: str, player: str, score: int | None) -> Receipt:
    """Let an admin set a score, or remove the player."""
    asks, decides = (User.objects.get_or_create(username=name)[0] for name in ("eve", "adam"))
    kind: Literal["set", "remove"] = "remove" if score is None else "set"
    wanted = WantedCorrection(player, kind, "a reason", "", score)
    request = request_correction(slug, wanted, requested_by=asks)
    return approve_correction(request.id, decided_by=decides, reason="right")


def shown(slug: str, player: str) -> int | None:
    return Best.objects.get(
        namespace=Season.objects.get(slug=slug).namespace, player_id=player
    ).score


def test_a_released_result_counts_and_an_unreleased_one_does_not(slug: str) -> None:
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 30, 2)
    assert shown(slug, "ann") == 10
    receipt = release(slug)
    assert (receipt.outcome, receipt.best_score, receipt.score_version) == ("improved", 30, 1)
    assert receipt.visible_in_version is not None
    assert shown(slug, "ann") == 30
    assert publish(slug).changes == 2


def test_a_player_may_enter_by_a_released_result(slug: str) -> None:
    close(slug)
    held(slug, "ann", 0, 1)
    assert (release(slug).outcome, shown(slug, "ann")) == ("improved", 0)


def test_a_released_result_below_the_best_changes_nothing(slug: str) -> None:
    apply(slug, event("ann", 40))
    close(slug)
    held(slug, "ann", 30, 2)
    receipt = release(slug)
    assert (receipt.outcome, receipt.visible_in_version) == ("not_improved", None)
    assert shown(slug, "ann") == 40


def test_it_counts_at_its_own_version_which_a_correction_may_have_passed(slug: str) -> None:
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 30, 2)
    correct(slug, "ann", 3, corrected_score=5)
    assert (release(slug).best_score, shown(slug, "ann")) == (5, 5)


def test_a_correction_below_a_released_version_does_not_undo_it(slug: str) -> None:
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 30, 5)
    release(slug)
    assert correct(slug, "ann", 2, corrected_score=4).outcome == "corrected"
    assert shown(slug, "ann") == 30


def test_a_release_never_makes_an_honest_result_stale(slug: str) -> None:
    in_time = event("ann", 20, 2)
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 15, 9)
    release(slug)
    assert (apply(slug, in_time)[0].outcome, shown(slug, "ann")) == ("improved", 20)


@pytest.mark.parametrize(
    ("rules", "score", "outcome"),
    [
        ({"keep": "latest"}, 20, "not_improved"),
        ({"tie_rule": "earliest"}, 30, "not_improved"),
        ({}, 40, "improved"),
    ],
)
def test_a_result_below_a_released_version_counts_before_it(
    shared: str, rules: dict[str, str], score: int, outcome: str
) -> None:
    slug = make_season(unused_slug(), late_policy="review", **rules).slug
    in_time = [event("ann", score, version) for version in (2, 3)]
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 30, 9)
    release(slug)
    first, second = apply(slug, *in_time)
    assert (first.outcome, first.best_score) == (outcome, max(score, 30))
    assert (second.outcome, second.score_version) == ("not_improved", 3)
    best = Best.objects.get(namespace=Season.objects.get(slug=slug).namespace, player_id="ann")
    if "tie_rule" in rules:
        assert best.tie_key == tie_key_of(in_time[0].completed_at, "earliest")
    assert publish(slug).outcome == "published"
    assert verify_season(slug).agrees


def test_a_result_that_comes_alone_below_a_decision_after_a_release_changes_nothing(
    slug: str,
) -> None:
    late_one, later_one = event("ann", 40, 2), event("ann", 45, 3)
    close(slug)
    held(slug, "ann", 30, 9)
    release(slug)
    assert approve(slug, "ann", 5).best_score == 5
    assert approve(slug, "ann", 6).best_score == 6
    for one in (late_one, later_one):
        assert apply(slug, one)[0].outcome == "not_improved"
    assert approve(slug, "ann", 7).best_score == 7
    assert shown(slug, "ann") == 7
    publish(slug)
    assert verify_season(slug).agrees
    rebuild_season(slug)
    assert shown(slug, "ann") == 7


def test_a_removal_after_a_release_hides_what_comes_in_below_it(slug: str) -> None:
    in_time = event("ann", 40, 2)
    close(slug)
    held(slug, "ann", 30, 9)
    release(slug)
    assert approve(slug, "ann", None).best_score is None
    receipt = apply(slug, in_time)[0]
    assert (receipt.outcome, receipt.best_score) == ("improved", 40)
    assert receipt.visible_in_version is None
    assert shown(slug, "ann") is None


def test_a_released_result_can_be_voided(slug: str) -> None:
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 30, 2)
    release(slug)
    correct(slug, "ann", 4, void_event_id="late")
    assert shown(slug, "ann") == 10


def test_a_removed_player_stays_removed(slug: str) -> None:
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 30, 2)
    correct(slug, "ann", 3)
    assert (release(slug).best_score, shown(slug, "ann")) == (None, None)


def test_a_refusal_changes_nothing_and_is_on_record(slug: str) -> None:
    apply(slug, event("ann", 10))
    close(slug)
    held(slug, "ann", 30, 2)
    receipt = refuse(slug)
    assert (receipt.outcome, receipt.best_score) == ("late_rejected", 10)
    assert shown(slug, "ann") == 10
    row = Ledger.objects.get(
        namespace=Season.objects.get(slug=slug).ledger_namespace, kind="refusal"
    )
    assert (row.event_id, row.approved_by, row.reason) == ("late", "eve", "too late")
    assert (row.kind_group, row.change_no, row.score) == (1, None, 30)


@pytest.mark.parametrize("first", [release, refuse])
@pytest.mark.parametrize("second", [release, refuse])
def test_it_is_decided_once(slug: str, first: Any, second: Any) -> None:
    close(slug)
    held(slug, "ann", 30, 2)
    first(slug)
    with pytest.raises(HeldResultDecided):
        second(slug)


def test_the_match_service_gets_the_first_receipt_after_all(slug: str) -> None:
    close(slug)
    late = event("ann", 30, event_id="late")
    first = apply(slug, late)[0]
    release(slug)
    assert apply(slug, late)[0] == first._replace(replayed=True)


def test_only_what_is_held_can_be_decided(slug: str) -> None:
    apply(slug, event("ann", 10, event_id="in-time"))
    for unknown in ("in-time", "nothing"):
        for decide in (release, refuse):
            with pytest.raises(ValidationFailed):
                decide(slug, unknown)
    with pytest.raises(SeasonNotFound):
        release("nowhere")


def test_after_final_a_release_makes_a_corrected_version(slug: str) -> None:
    board(slug, ann=10, bob=20)
    close(slug)
    held(slug, "ann", 30, 2)
    publish(slug)
    make_final(slug)
    assert release(slug).visible_in_version is not None
    assert publish(slug).outcome == "published"


def test_undecided_ones_are_listed_page_by_page(season: str) -> None:
    Season.objects.update(late_policy="review", cutoff_at=datetime.now(UTC))
    for number in range(5):
        held(season, f"p{number}", number, 1, f"late-{number}")
    release(season, "late-1")
    refuse(season, "late-3")
    assert [row.event_id for row in held_results(season)] == ["late-0", "late-2", "late-4"]
    address, bearer = HELD.format(season), f"Bearer {token('results:read')}"
    walked = []
    cursor: str | None = ""
    while cursor is not None:
        body = get(f"{address}?limit=1{cursor}", authorization=bearer).json()
        walked += [(row["event_id"], row["best_score"]) for row in body["held"]]
        cursor = body["next"] and f"&cursor={body['next']}"
    assert walked == [("late-0", 0), ("late-2", 2), ("late-4", 4)]


def test_the_list_is_for_services_that_may_read_results(season: str) -> None:
    address = HELD.format(season)
    problem(get(address), 401, "not_authenticated")
    other = f"Bearer {token('scores:apply')}"
    problem(get(address, authorization=other), 403, "forbidden")
    bearer = f"Bearer {token('results:read')}"
    problem(get(f"{address}?cursor=x", authorization=bearer), 400, "invalid_cursor")
    problem(get(f"{address}?limit=0", authorization=bearer), 400, "invalid_parameter")
    nowhere = HELD.format("nowhere")
    problem(get(nowhere, authorization=bearer), 404, "season_not_found")


def test_a_release_waits_for_nobody_and_is_in_the_change_stream(slug: str) -> None:
    close(slug)
    held(slug, "ann", 30, 2)
    release(slug)
    season = board(slug)
    (row,) = changes(season, Position(), limit=10).rows
    assert (row.player_id, row.new_score, row.event_id, row.kind) == ("ann", 30, "late", "release")
    assert row.accepted_at > datetime.now(UTC) - timedelta(minutes=1)
