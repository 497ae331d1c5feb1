"""Correction requests in the admin: asked for, approved, rejected."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from scores.models import CorrectionRequest, Ledger
from scores.operations import WantedCorrection, request_correction
from tests.factories import apply, board, correct, event, make_season
from tests.people import client_of, person, text_of

ODD = "auth0|5f:7@x=y,~+z"
SCRIPT = "<script>alert('x')</script>"


@pytest.fixture
def ann(slug: str) -> str:
    """Give the test a season in which ann has 50."""
    apply(slug, event("ann", 50, event_id=f"{slug}-first"))
    board(slug)
    return slug


def form(slug: str, **answers: Any) -> dict[str, Any]:
    return {"season": slug, "player_id": "ann", "kind": "remove", "reason": "cheat", **answers}


def add_url() -> str:
    return reverse("admin:scores_correctionrequest_add")


def url(what: str, request: CorrectionRequest) -> str:
    return reverse(f"admin:scores_correctionrequest_{what}", args=[request.id])


def ask(slug: str, player_id: str = "ann", **members: Any) -> CorrectionRequest:
    wanted = WantedCorrection(
        **{"player_id": player_id, "kind": "remove", "reason": "cheat", **members}
    )
    return request_correction(slug, wanted, requested_by=person("moderator"))


def the_log() -> LogEntry:
    entry = LogEntry.objects.order_by("-id").first()
    assert entry is not None
    return entry


@pytest.mark.parametrize(
    "answers",
    [
        {"kind": "set", "corrected_score": "7"},
        {"kind": "set", "corrected_score": "0"},
        {"kind": "remove", "evidence": "https://videos.example/1"},
        {"kind": "void", "void_event_id": "first"},
        {"kind": "remove", "corrects_event_id": "first"},
    ],
    ids=str,
)
def test_a_moderator_asks_for_a_correction(ann: str, answers: dict[str, Any]) -> None:
    for member in ("void_event_id", "corrects_event_id"):
        if member in answers:
            answers = {**answers, member: f"{ann}-first"}
    who = person("moderator")
    answer = client_of(who).post(add_url(), form(ann, **answers))
    made = CorrectionRequest.objects.get(season__slug=ann)
    assert answer.status_code == 302
    assert answer.headers["Location"] == url("change", made)
    assert (made.kind, made.player_id, made.requested_by) == (answers["kind"], "ann", who)
    assert str(made.corrected_score or 0) == answers.get("corrected_score", "0")
    assert (made.void_event_id or made.corrects_event_id or "").endswith("first") == (
        "void_event_id" in answers or "corrects_event_id" in answers
    )
    entry = the_log()
    assert (entry.user, entry.object_id) == (who, str(made.id))
    assert entry.change_message.startswith("Asked for: ")
    assert "cheat" in entry.change_message


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"season": "nowhere"}, "There is no season with this id."),
        ({"season": "No!"}, "It must match"),
        ({"player_id": "a/b"}, "It must match"),
        ({"player_id": ""}, "This field is required."),
        ({"kind": "set"}, "This is required."),
        ({"kind": "set", "corrected_score": "1000001"}, "The season&#x27;s scores are 0 to"),
        ({"kind": "set", "corrected_score": "1e3"}, "Enter a whole number."),
        ({"kind": "void", "void_event_id": "unheard-of"}, "no result or correction with this id"),
        ({"kind": "remove", "corrected_score": "5"}, "does not go with this kind"),
        ({"kind": "other"}, "Select a valid choice."),
        ({"reason": " "}, "This field is required."),
        ({"reason": "x" * 501}, "at most 500 characters"),
        ({"evidence": "x" * 2_001}, "at most 2000 characters"),
        ({"reason": "a\0b"}, "Null characters are not allowed."),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_request_is_said_on_the_form(
    ann: str, answers: dict[str, Any], says: str
) -> None:
    page = text_of(client_of(person("moderator")).post(add_url(), form(ann, **answers)))
    assert says in page
    assert not CorrectionRequest.objects.filter(season__slug=ann).exists()


def test_the_form_comes_filled_in_and_shows_the_original_event(ann: str) -> None:
    about = {"season": ann, "player_id": "ann", "kind": "void", "void_event_id": f"{ann}-first"}
    page = text_of(client_of(person("moderator")).get(add_url(), about))
    assert "The original event" in page
    assert f'value="{ann}-first"' in page
    assert '<option value="void" selected>' in page


@pytest.mark.parametrize("season", ["nowhere", "No!", ""])
def test_a_form_about_nothing_known_is_shown_all_the_same(shared: str, season: str) -> None:
    about: dict[str, Any] = {"season": season, "void_event_id": "x"}
    assert "The original event" not in text_of(
        client_of(person("moderator")).get(add_url(), about)
    )


def test_an_approver_approves(ann: str) -> None:
    request, who = ask(ann), person("approver")
    client = client_of(who)
    assert "Approve" in text_of(client.get(url("approve", request)))
    answer = client.post(url("approve", request), {"reason": "I saw it"}, follow=True)
    assert "Approved. Score now: –." in text_of(answer)  # noqa: RUF001
    request.refresh_from_db()
    assert (request.status, request.decided_by, request.decision_reason) == (
        "approved", who, "I saw it",
    )  # fmt: skip
    assert Ledger.objects.get(event_id=request.event_id).approved_by == who.username
    assert the_log().change_message == f"Approved: removal, ann in {ann}: I saw it"
    page = text_of(client.get(url("change", request)))
    assert "What it became" in page
    assert f"/{request.id}/approve/" not in page


def test_an_approver_rejects(ann: str) -> None:
    request, who = ask(ann), person("approver")
    answer = client_of(who).post(url("reject", request), {"reason": "no proof"}, follow=True)
    assert "Rejected; nothing was changed." in text_of(answer)
    request.refresh_from_db()
    assert (request.status, request.decided_by) == ("rejected", who)
    assert the_log().change_message == f"Rejected: removal, ann in {ann}: no proof"


@pytest.mark.parametrize("how", ["approve", "reject"])
def test_a_decision_without_a_reason_is_asked_for_one(ann: str, how: str) -> None:
    request = ask(ann)
    page = text_of(client_of(person("approver")).post(url(how, request), {"reason": ""}))
    assert "This field is required." in page
    request.refresh_from_db()
    assert request.status == "requested"


@pytest.mark.parametrize("how", ["approve", "reject"])
def test_a_request_that_was_decided_meanwhile_says_so(ann: str, how: str) -> None:
    request = ask(ann)
    one, other = client_of(person("approver")), client_of(person("approver"))
    one.post(url("approve", request), {"reason": "first"})
    page = text_of(other.post(url(how, request), {"reason": "second"}))
    assert "The request has been approved already." in page
    assert LogEntry.objects.filter(object_id=str(request.id)).count() == 1


@pytest.fixture
def alone(ann: str) -> tuple[Client, CorrectionRequest]:
    """Give the test somebody who asks and decides, and a request of theirs."""
    who = person("moderator", "approver")
    wanted = WantedCorrection(player_id="ann", kind="remove", reason="cheat")
    return client_of(who), request_correction(ann, wanted, requested_by=who)


def test_nobody_approves_what_they_asked_for(alone: tuple[Client, CorrectionRequest]) -> None:
    client, request = alone
    page = text_of(client.get(url("change", request)))
    assert "Another person must decide" in page
    assert "/approve/" not in page
    says = "must be approved by another person"
    assert says in text_of(client.post(url("approve", request), {"reason": "me"}))
    request.refresh_from_db()
    assert request.status == "requested"


def test_a_setting_allows_one_person(
    alone: tuple[Client, CorrectionRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "CORRECTIONS_NEED_TWO", False)
    client, request = alone
    assert "/approve/" in text_of(client.get(url("change", request)))
    assert client.post(url("approve", request), {"reason": "me"}).status_code == 302
    request.refresh_from_db()
    assert request.status == "approved"


def test_the_list_begins_with_what_waits_longest(database: str) -> None:
    slug = make_season("season").slug
    for number in range(60):
        ask(slug, f"player-{number}")
    client = client_of(person("approver"))
    done, turned_down = CorrectionRequest.objects.order_by("id")[:2]
    client.post(url("approve", done), {"reason": "yes"})
    client.post(url("reject", turned_down), {"reason": "no"})
    listed = reverse("admin:scores_correctionrequest_changelist")
    first = text_of(client.get(listed))
    assert "player-2<" in first
    assert "player-51<" in first
    assert "player-52<" not in first
    assert "player-0<" not in first
    following = CorrectionRequest.objects.order_by("id")[51].id
    assert f"?after={following}" in first
    second = text_of(client.get(listed, {"after": following}))
    assert "player-52<" in second
    assert "player-59<" in second
    assert 'rel="next"' not in second
    decided = text_of(client.get(listed, {"state": "decided"}))
    assert "player-0<" in decided
    assert "player-1<" in decided
    assert "player-2<" not in decided


def test_the_decided_ones_are_paged_newest_first(database: str) -> None:
    slug, client = make_season("season").slug, client_of(person("approver"))
    for number in range(52):
        client.post(url("reject", ask(slug, f"player-{number}")), {"reason": "no"})
    listed = reverse("admin:scores_correctionrequest_changelist")
    first = text_of(client.get(listed, {"state": "decided"}))
    assert "player-51<" in first
    assert "player-1<" not in first
    last = str(CorrectionRequest.objects.order_by("id")[2].id)
    assert f"state=decided&amp;before={last}" in first
    second = text_of(client.get(listed, {"state": "decided", "before": last}))
    assert "player-1<" in second
    assert "player-2<" not in second


@pytest.mark.parametrize("odd", ["x", "-1", "1e9", "9" * 30, "1' OR 1=1"])
def test_an_odd_place_in_the_list_is_its_beginning(shared: str, odd: str) -> None:
    listed = reverse("admin:scores_correctionrequest_changelist")
    client = client_of(person("viewer"))
    text_of(client.get(listed, {"after": odd}))
    text_of(client.get(listed, {"state": "decided", "before": odd}))


@pytest.mark.parametrize("how", ["approve", "reject"])
def test_a_forged_form_decides_nothing(ann: str, how: str) -> None:
    request = ask(ann)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("approver"))
    assert strict.post(url(how, request), {"reason": "forged"}).status_code == 403
    assert strict.get(url(how, request)).status_code == 200
    request.refresh_from_db()
    assert request.status == "requested"


def test_what_people_write_is_never_markup(slug: str) -> None:
    apply(slug, event(ODD, 50, event_id=f"e|{slug}:@=1"))
    request = ask(
        slug,
        ODD,
        kind="void",
        void_event_id=f"e|{slug}:@=1",
        reason=SCRIPT,
        evidence=f"javascript:{SCRIPT}",
    )
    client = client_of(person("approver"))
    answer = client.post(url("approve", request), {"reason": SCRIPT}, follow=True)
    pages = [
        text_of(answer),
        text_of(client.get(reverse("admin:scores_correctionrequest_changelist"))),
        text_of(client.get(reverse("admin:scores_best_player", args=[slug, ODD]))),
        text_of(client.get(reverse("admin:admin_logentry_changelist"))),
        text_of(client.get(reverse("admin:index"))),
    ]
    for page in pages:
        assert SCRIPT not in page
        assert 'href="javascript:' not in page
    assert "&lt;script&gt;alert" in pages[0]
    assert "&lt;script&gt;alert" in pages[3]


def shown_evidence(slug: str, evidence: str) -> str:
    return text_of(client_of(person("viewer")).get(url("change", ask(slug, evidence=evidence))))


@pytest.mark.parametrize(
    "evidence",
    [
        "https://videos.example/watch?v=1&t=2",
        "http://tickets.example/7",
        'https://x.example/"onmouseover="alert(1)',
    ],
)
def test_evidence_on_the_web_is_a_link_that_gives_nothing_away(ann: str, evidence: str) -> None:
    page = shown_evidence(ann, evidence)
    assert f'href="{escape(evidence)}" target="_blank" rel="noopener noreferrer nofollow"' in page
    assert 'onmouseover="alert' not in page


@pytest.mark.parametrize(
    "evidence",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "https://a b.example",
        "ftp://files.example/x",
        "//videos.example",
        "https://[",
        "ticket 7",
    ],
)
def test_any_other_evidence_is_text(ann: str, evidence: str) -> None:
    page = shown_evidence(ann, evidence)
    assert "nofollow" not in page
    assert evidence in page


def test_a_request_shows_the_event_that_it_is_about(ann: str) -> None:
    removal = correct(ann, "ann", 2)
    request = ask(ann, kind="void", void_event_id=removal.event_id)
    page = text_of(client_of(person("viewer")).get(url("change", request)))
    assert "The original event" in page
    assert "an approver" in page


def test_a_request_that_does_not_exist_is_not_found(shared: str) -> None:
    client = client_of(person("approver", "moderator"))
    for what in ("change", "approve", "reject"):
        address = reverse(f"admin:scores_correctionrequest_{what}", args=[10**8])
        assert client.get(address).status_code == 404
