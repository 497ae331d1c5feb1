"""What can be asked for, and what is refused at once."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.errors import SeasonNotFound, SeasonNotOpen, ValidationFailed
from scores.models import CorrectionRequest, Ledger
from scores.operations import request_correction
from scores.operations.request_correction import WantedCorrection
from seasons.models import Season
from tests.factories import apply, correct, event, make_final, make_season, publish, unused_slug
from tests.people import person


def wanted(**members: Any) -> WantedCorrection:
    return WantedCorrection(**{"player_id": "ann", "kind": "remove", "reason": "why", **members})


def ask(slug: str, **members: Any) -> CorrectionRequest:
    return request_correction(slug, wanted(**members), requested_by=person("moderator"))


@pytest.fixture
def ann(slug: str) -> str:
    """Give the test a season in which ann has 50."""
    apply(slug, event("ann", 50, event_id=f"{slug}-first"))
    return slug


@pytest.mark.parametrize(
    "members",
    [
        {"kind": "set", "corrected_score": 0},
        {"kind": "set", "corrected_score": 1_000_000},
        {"kind": "remove"},
        {"kind": "void", "void_event_id": "first"},
        {"kind": "remove", "corrects_event_id": "first"},
    ],
    ids=str,
)
def test_a_request_is_kept_and_changes_nothing(ann: str, members: dict[str, Any]) -> None:
    for member in ("void_event_id", "corrects_event_id"):
        if member in members:
            members = {**members, member: f"{ann}-first"}
    who = person("moderator")
    made = request_correction(ann, wanted(evidence="clip", **members), requested_by=who)
    kept = CorrectionRequest.objects.get(id=made.id)
    assert (kept.season.slug, kept.player_id, kept.kind) == (ann, "ann", members["kind"])
    assert (kept.corrected_score, kept.void_event_id, kept.corrects_event_id) == (
        members.get("corrected_score"),
        members.get("void_event_id"),
        members.get("corrects_event_id"),
    )
    assert (kept.reason, kept.evidence, kept.requested_by) == ("why", "clip", who)
    assert (kept.status, kept.decided_by, kept.decided_at, kept.event_id) == (
        "requested", None, None, None,
    )  # fmt: skip
    assert datetime.now(UTC) - kept.requested_at < timedelta(minutes=1)
    namespace = Season.objects.get(slug=ann).ledger_namespace
    assert Ledger.objects.filter(namespace=namespace).count() == 1


FAULTS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({"kind": "set"}, [("/corrected_score", "missing")]),
    ({"kind": "set", "corrected_score": -1}, [("/corrected_score", "out_of_range")]),
    ({"kind": "set", "corrected_score": 1_000_001}, [("/corrected_score", "out_of_range")]),
    ({"kind": "set", "corrected_score": 10**30}, [("/corrected_score", "out_of_range")]),
    ({"kind": "remove", "corrected_score": 1}, [("/corrected_score", "exclusive")]),
    ({"kind": "void"}, [("/void_event_id", "missing")]),
    ({"kind": "void", "void_event_id": "unheard-of"}, [("/void_event_id", "unknown_event")]),
    ({"kind": "void", "void_event_id": "a b"}, [("/void_event_id", "pattern")]),
    ({"corrects_event_id": "unheard-of"}, [("/corrects_event_id", "unknown_event")]),
    ({"corrects_event_id": "a\0b"}, [("/corrects_event_id", "pattern")]),
    ({"player_id": ""}, [("/player_id", "pattern")]),
    ({"player_id": "a/b"}, [("/player_id", "pattern")]),
    ({"player_id": "x" * 65}, [("/player_id", "pattern")]),
    ({"reason": ""}, [("/reason", "length")]),
    ({"reason": " \n "}, [("/reason", "length")]),
    ({"reason": "x" * 501}, [("/reason", "length")]),
    ({"reason": "a\0b"}, [("/reason", "characters")]),
    ({"evidence": "x" * 2_001}, [("/evidence", "length")]),
    ({"kind": "other"}, [("/kind", "choice")]),
    (
        {"kind": "set", "corrected_score": -1, "reason": "", "player_id": "."},
        [("/player_id", "pattern"), ("/reason", "length"), ("/corrected_score", "out_of_range")],
    ),
]


@pytest.mark.parametrize(("members", "faults"), FAULTS, ids=str)
def test_what_does_not_fit_is_refused_with_every_fault(
    ann: str, members: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        ask(ann, **members)
    assert [(fault.pointer, fault.code) for fault in refusal.value.faults] == faults
    assert not CorrectionRequest.objects.filter(season__slug=ann).exists()


@pytest.mark.parametrize("member", ["void_event_id", "corrects_event_id"])
@pytest.mark.parametrize("whose", ["another's", "a void", "another season's"])
def test_an_event_must_be_a_result_or_correction_of_the_player(
    ann: str, member: str, whose: str
) -> None:
    (others,) = apply(ann, event("bob", 50))
    (elsewhere,) = apply(make_season(unused_slug()).slug, event("ann", 50))
    void = correct(ann, "ann", 2, void_event_id=f"{ann}-first")
    target = {
        "another's": others.event_id,
        "a void": void.event_id,
        "another season's": elsewhere.event_id,
    }[whose]
    kind = "void" if member == "void_event_id" else "remove"
    with pytest.raises(ValidationFailed) as refusal:
        ask(ann, kind=kind, **{member: target})
    assert [fault.pointer for fault in refusal.value.faults] == [f"/{member}"]


def test_a_correction_can_be_voided_as_well(ann: str) -> None:
    removal = correct(ann, "ann", 2)
    assert ask(ann, kind="void", void_event_id=removal.event_id).status == "requested"


@pytest.mark.parametrize("player_id", ["auth0|5f7c", "steam:7656", "x,y=z", "a.b~c@d+e", "0" * 64])
def test_odd_ids_are_taken_as_they_are(slug: str, player_id: str) -> None:
    assert ask(slug, player_id=player_id).player_id == player_id


def test_a_scheduled_season_has_nothing_to_correct(shared: str) -> None:
    starts = datetime.now(UTC) + timedelta(hours=1)
    slug = make_season(unused_slug(), starts_at=starts, cutoff_at=starts + timedelta(days=1)).slug
    with pytest.raises(SeasonNotOpen, match="nothing to correct before it starts"):
        ask(slug)
    assert not CorrectionRequest.objects.filter(season__slug=slug).exists()


@pytest.mark.parametrize("state", ["closing", "final"])
def test_closing_and_final_seasons_take_requests(shared: str, state: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(minutes=5)
    slug = make_season(unused_slug(), cutoff_at=cutoff).slug
    publish(slug)
    if state == "final":
        make_final(slug)
    assert ask(slug).status == "requested"


def test_a_season_that_does_not_exist_is_not_found(shared: str) -> None:
    with pytest.raises(SeasonNotFound):
        ask("nowhere")
