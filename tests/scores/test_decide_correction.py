"""What becomes of a request: an event of our own, or a rejection."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from config.errors import (
    AnotherPersonNeeded,
    NotFound,
    RequestDecided,
    SeasonNotOpen,
    Unavailable,
    ValidationFailed,
)
from leaderboard.queries import published, rank_of_player
from scores.models import Best, CorrectionRequest, Ledger
from scores.operations import (
    WantedCorrection,
    approve_correction,
    reject_correction,
    request_correction,
)
from scores.rules import Receipt
from seasons.models import Season
from tests.factories import apply, event, make_final, make_season, publish, unused_slug
from tests.people import person


def ask(slug: str, player_id: str = "ann", **members: Any) -> CorrectionRequest:
    wanted = WantedCorrection(
        **{"player_id": player_id, "kind": "remove", "reason": "cheat", **members}
    )
    return request_correction(slug, wanted, requested_by=person("moderator"))


def approve(slug: str, player_id: str = "ann", **members: Any) -> Receipt:
    request = ask(slug, player_id, **members)
    return approve_correction(request.id, decided_by=person("approver"), reason="seen")


def ledger(slug: str) -> Any:
    namespace = Season.objects.get(slug=slug).ledger_namespace
    return Ledger.objects.filter(namespace=namespace)


def stored(slug: str, player_id: str = "ann") -> tuple[Any, ...]:
    namespace = Season.objects.get(slug=slug).namespace
    bests = Best.objects.filter(namespace=namespace, player_id=player_id)
    return bests.values_list("score", "hidden_score", "removed", "score_version", "revision").get()


def place(slug: str, player_id: str = "ann") -> tuple[int | None, int | None, int]:
    """Publish, and return the player's rank and score, and how many players there are."""
    publish(slug)
    season = published(slug)
    found = rank_of_player(season, player_id, version=season.current)
    assert found is not None
    return found.rank, found.score, found.members[0]


@pytest.fixture
def ann(slug: str) -> str:
    """Give the test a season in which ann has 50 at version 5."""
    apply(slug, event("ann", 50, 5, event_id=f"{slug}-first"))
    return slug


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"kind": "set", "corrected_score": 0}, (0, None, False, 5, 1)),
        ({"kind": "set", "corrected_score": 99}, (99, None, False, 5, 1)),
        ({"kind": "remove"}, (None, 50, True, 5, 1)),
        ({"kind": "void", "void_event_id": "first"}, (None, None, False, 5, 1)),
    ],
    ids=str,
)
def test_approval_changes_the_best_at_its_own_version(
    ann: str, members: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    if "void_event_id" in members:
        members = {**members, "void_event_id": f"{ann}-first"}
    receipt = approve(ann, **members)
    assert (receipt.outcome, receipt.best_score, receipt.score_version) == (
        "corrected", expected[0], 5,
    )  # fmt: skip
    assert receipt.visible_in_version is not None
    assert stored(ann) == expected


def test_the_next_honest_result_is_not_swallowed(ann: str) -> None:
    approve(ann, kind="set", corrected_score=20)
    (receipt,) = apply(ann, event("ann", 30, 6))
    assert (receipt.outcome, receipt.best_score) == ("improved", 30)


def test_the_ledger_says_who_approved_why_and_on_what_evidence(ann: str) -> None:
    request = ask(ann, evidence="clip 7", corrects_event_id=f"{ann}-first")
    approver = person("approver")
    receipt = approve_correction(request.id, decided_by=approver, reason="seen it")
    row = ledger(ann).get(event_id=receipt.event_id)
    assert (row.kind_group, row.kind) == (1, "correction")
    assert (row.reason, row.evidence) == ("cheat", "clip 7")
    assert (row.approved_by, row.corrects_event_id) == (approver.username, f"{ann}-first")
    assert row.event_id.startswith(f"admin-{request.id}-")
    assert (row.score_version, row.revision, row.old_score, row.new_score) == (5, 1, 50, None)
    assert ledger(ann).get(event_id=f"{ann}-first").score == 50


def test_the_request_says_who_decided_when_why_and_what_it_became(ann: str) -> None:
    request, approver = ask(ann), person("approver")
    receipt = approve_correction(request.id, decided_by=approver, reason="seen it")
    request.refresh_from_db()
    assert (request.status, request.decided_by, request.decision_reason, request.event_id) == (
        "approved", approver, "seen it", receipt.event_id,
    )  # fmt: skip
    assert request.decided_at is not None
    assert datetime.now(UTC) - request.decided_at < timedelta(minutes=1)


def test_rejection_is_on_record_and_changes_nothing(ann: str) -> None:
    request, approver = ask(ann), person("approver")
    reject_correction(request.id, decided_by=approver, reason="no proof")
    request.refresh_from_db()
    assert (request.status, request.decided_by, request.decision_reason, request.event_id) == (
        "rejected", approver, "no proof", None,
    )  # fmt: skip
    assert ledger(ann).count() == 1


def test_nobody_approves_what_they_asked_for(ann: str) -> None:
    request = ask(ann)
    with pytest.raises(AnotherPersonNeeded, match="another person"):
        approve_correction(request.id, decided_by=request.requested_by, reason="me")
    request.refresh_from_db()
    assert request.status == "requested"
    assert ledger(ann).count() == 1


def test_a_setting_lets_one_person_do_both(ann: str) -> None:
    request = ask(ann)
    one = request.requested_by
    receipt = approve_correction(request.id, decided_by=one, reason="me", needs_two=False)
    assert receipt.outcome == "corrected"


@pytest.mark.parametrize("first", ["approve", "reject"])
@pytest.mark.parametrize("second", ["approve", "reject"])
def test_a_decided_request_stays_as_it_was_decided(ann: str, first: str, second: str) -> None:
    request = ask(ann)
    decide: dict[str, Any] = {"approve": approve_correction, "reject": reject_correction}
    decide[first](request.id, decided_by=person("approver"), reason="one")
    rows = ledger(ann).count()
    with pytest.raises(RequestDecided, match=f"{first.rstrip('e')}ed already"):
        decide[second](request.id, decided_by=person("approver"), reason="two")
    request.refresh_from_db()
    assert request.decision_reason == "one"
    assert ledger(ann).count() == rows


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501, "a\0b"])
def test_a_decision_needs_a_reason(ann: str, reason: str) -> None:
    request = ask(ann)
    for decide in (approve_correction, reject_correction):
        with pytest.raises(ValidationFailed):
            decide(request.id, decided_by=person("approver"), reason=reason)
    request.refresh_from_db()
    assert request.status == "requested"


def test_a_request_that_does_not_exist_is_not_found(shared: str) -> None:
    for decide in (approve_correction, reject_correction):
        with pytest.raises(NotFound):
            decide(10**9, decided_by=person("approver"), reason="why")


@pytest.mark.parametrize("state", ["closing", "final"])
def test_closing_and_final_seasons_take_corrections(shared: str, state: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(minutes=5)
    slug = make_season(unused_slug(), cutoff_at=cutoff, grace_seconds=0).slug
    publish(slug)
    if state == "final":
        make_final(slug)
    assert approve(slug, kind="set", corrected_score=5).outcome == "corrected"


def test_a_season_that_is_not_open_yet_takes_none(ann: str) -> None:
    request = ask(ann)
    Season.objects.filter(slug=ann).update(starts_at=datetime.now(UTC) + timedelta(hours=1))
    with pytest.raises(SeasonNotOpen):
        approve_correction(request.id, decided_by=person("approver"), reason="why")
    request.refresh_from_db()
    assert request.status == "requested"


def test_while_the_bests_are_lost_nothing_is_decided(
    ann: str, superuser: "psycopg.Connection[Any]"
) -> None:
    request = ask(ann)
    namespace = Season.objects.get(slug=ann).namespace
    superuser.execute(f"TRUNCATE scores_best_n{namespace}".encode())
    with pytest.raises(Unavailable):
        approve_correction(request.id, decided_by=person("approver"), reason="why")
    request.refresh_from_db()
    assert request.status == "requested"


def test_a_removed_cheater_makes_room_and_the_trail_says_who_and_why(slug: str) -> None:
    """CASES.md 26."""
    scores = {"a": 50, "b": 40, "c": 30, "d": 20, "e": 10}
    apply(slug, *(event(player, score) for player, score in scores.items()))
    assert place(slug, "b") == (2, 40, 5)
    approve(slug, "a")
    assert [place(slug, player) for player in "abcde"] == [
        (None, None, 4), (1, 40, 4), (2, 30, 4), (3, 20, 4), (4, 10, 4),
    ]  # fmt: skip
    row = ledger(slug).get(kind="correction")
    request = CorrectionRequest.objects.get(player_id="a", season__slug=slug)
    assert (row.player_id, row.reason, row.old_score, row.new_score) == ("a", "cheat", 50, None)
    assert request.decided_by is not None
    assert row.approved_by == request.decided_by.username


def test_voiding_a_removal_is_as_if_never_removed(slug: str) -> None:
    """CASES.md 26: with results of the meantime, and never by a result alone."""
    never = make_season(unused_slug()).slug
    for season in (slug, never):
        apply(season, event("ann", 50), event("bob", 60))
    removal = approve(slug)
    assert place(slug) == (None, None, 1)
    for season in (slug, never):
        apply(season, event("ann", 70, 2), event("ann", 65, 3), event("cid", 80))
    assert place(slug)[0] is None
    approve(slug, kind="void", void_event_id=removal.event_id)
    assert place(slug) == place(never) == (2, 70, 3)
    (later,) = apply(slug, event("ann", 90, 4))
    assert (later.outcome, later.best_score) == ("improved", 90)


def test_voiding_what_an_admin_set_brings_the_results_back(ann: str) -> None:
    number = approve(ann, kind="set", corrected_score=7)
    approve(ann, kind="void", void_event_id=number.event_id)
    assert stored(ann) == (50, None, False, 5, 2)


def test_a_player_without_results_can_be_given_a_score(slug: str) -> None:
    assert approve(slug, "new", kind="set", corrected_score=7).best_score == 7
    assert place(slug, "new") == (1, 7, 1)
