"""Who may see and do what: by the roles that a migration makes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from leaderboard.models import Job
from scores.models import CorrectionRequest, ServiceToken
from scores.operations import WantedCorrection, request_correction
from scores.operations.create_token import create_token
from seasons.models import Season, Series
from tests.factories import apply, board, event, make_season
from tests.own_database import Once
from tests.people import chief, client_of, person, text_of
from tests.series import make_series

ROLES = ("viewer", "moderator", "approver", "operator")
Clients = dict[str, Client]
EVERYBODY = {*ROLES, "chief"}
LOOKED_AT = [
    "seasons_season_changelist",
    "seasons_series_changelist",
    "seasons_transition_changelist",
    "leaderboard_version_changelist",
    "leaderboard_candidate_changelist",
    "leaderboard_settlement_changelist",
    "leaderboard_verification_changelist",
    "leaderboard_rebuild_changelist",
    "leaderboard_retirement_changelist",
    "leaderboard_job_changelist",
    "scores_best_changelist",
    "scores_ledger_changelist",
    "scores_ledger_held",
    "scores_correctionrequest_changelist",
    "admin_logentry_changelist",
]


def play() -> Clients:
    """
    Play a season with a held result, a request by somebody, and a token.

    Whoever is somebody is logged in, by their role.
    """
    season = make_season("season").slug
    board(season, ann=50, bob=40)
    cutoff = datetime.now(UTC) - timedelta(minutes=1)
    held = make_season("held", cutoff_at=cutoff, late_policy="review", grace_seconds=3600).slug
    apply(held, event("late", 10, event_id="late-1", completed_at=cutoff + timedelta(seconds=1)))
    wanted = WantedCorrection(player_id="ann", kind="remove", reason="cheat")
    request_correction(season, wanted, requested_by=person("moderator"))
    create_token("service", ["scores:apply"])
    make_series(slug="ladder")
    people = {role: person(role) for role in ROLES}
    people |= {"chief": chief(), "nobody": person()}
    return {role: client_of(who) for role, who in people.items()}


@pytest.fixture
def clients(once: Once) -> Clients:
    """Let the test look at such a season with the eyes of everybody."""
    return once(play)


def address(view: str, *arguments: Any) -> str:
    return reverse(f"admin:{view}", args=arguments)


def acts() -> dict[str, tuple[str, set[str]]]:
    """Return the pages that lead to a change, and who may open them."""
    season_id = Season.objects.get(slug="season").id
    request = CorrectionRequest.objects.get().id
    token = ServiceToken.objects.get().id
    series = Series.objects.get().id
    return {
        "make a season": (address("seasons_season_add"), {"operator", "chief"}),
        "make a series": (address("seasons_series_add"), {"operator", "chief"}),
        "end a series": (address("seasons_series_end", series), {"operator", "chief"}),
        **{
            act: (address("seasons_season_act", season_id, act), {"operator", "chief"})
            for act in ("open", "close", "finalize", "publish", "verify")
        },
        "ask": (address("scores_correctionrequest_add"), {"moderator", "chief"}),
        "approve": (address("scores_correctionrequest_approve", request), {"approver", "chief"}),
        "reject": (address("scores_correctionrequest_reject", request), {"approver", "chief"}),
        "release": (
            address("scores_ledger_decide", "held", "late-1", "release"), {"approver", "chief"},
        ),
        "refuse": (
            address("scores_ledger_decide", "held", "late-1", "refuse"), {"approver", "chief"},
        ),
        "tokens": (address("scores_servicetoken_changelist"), {"operator", "chief"}),
        "token": (address("scores_servicetoken_change", token), {"operator", "chief"}),
        "make a token": (address("scores_servicetoken_add"), {"operator", "chief"}),
        "revoke": (address("scores_servicetoken_revoke", token), {"operator", "chief"}),
        "people": (address("auth_user_changelist"), {"chief"}),
        "roles": (address("auth_group_changelist"), {"chief"}),
    }  # fmt: skip


def test_the_roles_are_there_and_nothing_else(clients: Clients) -> None:
    assert set(Group.objects.values_list("name", flat=True)) == set(ROLES)


@pytest.mark.parametrize("role", ["viewer", "moderator", "approver", "operator", "chief"])
def test_everybody_may_look_at_everything_but_tokens(clients: Clients, role: str) -> None:
    client = clients[role]
    for view in LOOKED_AT:
        assert client.get(address(view)).status_code == 200, view
    season_id = Season.objects.get(slug="season").id
    request = CorrectionRequest.objects.get().id
    text_of(client.get(address("seasons_season_change", season_id)))
    text_of(client.get(address("seasons_series_change", Series.objects.get().id)))
    text_of(client.get(address("scores_best_player", "season", "ann")))
    text_of(client.get(address("scores_correctionrequest_change", request)))


@pytest.mark.parametrize("role", ["viewer", "moderator", "approver", "operator", "chief"])
def test_only_some_may_act(clients: Clients, role: str) -> None:
    client = clients[role]
    for name, (page, allowed) in acts().items():
        expected = 200 if role in allowed else 403
        assert client.get(page).status_code == expected, name


@pytest.mark.parametrize("role", ["viewer", "moderator", "approver", "operator"])
def test_who_may_not_act_changes_nothing_by_sending_the_form(clients: Clients, role: str) -> None:
    client = clients[role]
    slugs = set(Season.objects.values_list("slug", "starts_at", "cutoff_at"))
    for name, (page, allowed) in acts().items():
        if role not in allowed:
            answer = client.post(
                page, {"reason": "because", "name": "x", "scopes": "scores:apply"}
            )
            assert answer.status_code == 403, name
    assert set(Season.objects.values_list("slug", "starts_at", "cutoff_at")) == slugs
    assert CorrectionRequest.objects.get().status == "requested"
    assert ServiceToken.objects.get().revoked_at is None
    assert not Job.objects.exists()
    assert Series.objects.get().ended_at is None


BUTTONS: list[tuple[str, Callable[[], str], str, set[str]]] = [
    ("Make a season", lambda: address("seasons_season_changelist"), "season/add/",
     {"operator", "chief"}),
    ("Make a series", lambda: address("seasons_series_changelist"), "series/add/",
     {"operator", "chief"}),
    ("End it", lambda: address("seasons_series_change", Series.objects.get().id), "/end/",
     {"operator", "chief"}),
    ("Close now", lambda: address("seasons_season_change", Season.objects.get(slug="season").id),
     "/close/", {"operator", "chief"}),
    ("Correct score", lambda: address("scores_best_player", "season", "ann"), "kind=set",
     {"moderator", "chief"}),
    ("Void this event", lambda: address("scores_best_player", "season", "ann"), "kind=void",
     {"moderator", "chief"}),
    ("Ask for a correction", lambda: address("scores_correctionrequest_changelist"),
     "correctionrequest/add/", {"moderator", "chief"}),
    ("Approve",
     lambda: address("scores_correctionrequest_change", CorrectionRequest.objects.get().id),
     "/approve/", {"approver", "chief"}),
    ("Let in", lambda: address("scores_ledger_held") + "?season=held", "/release/",
     {"approver", "chief"}),
    ("Service tokens", lambda: address("seasons_season_changelist"), "/scores/servicetoken/",
     {"operator", "chief"}),
    ("People", lambda: address("seasons_season_changelist"), "/auth/user/", {"chief"}),
]  # fmt: skip


@pytest.mark.parametrize("role", ["viewer", "moderator", "approver", "operator", "chief"])
def test_a_button_is_shown_to_those_who_may_press_it(clients: Clients, role: str) -> None:
    client = clients[role]
    for button, where, target, allowed in BUTTONS:
        page = text_of(client.get(where()))
        assert (button in page and target in page) == (role in allowed), button


def test_who_is_not_logged_in_sees_the_form_for_that(clients: Clients) -> None:
    for view in [*LOOKED_AT, "index"]:
        answer = Client().get(address(view))
        assert answer.status_code == 302
        assert "/admin/login/" in answer.headers["Location"]


def test_who_has_no_role_sees_nothing(clients: Clients) -> None:
    client = clients["nobody"]
    for view in LOOKED_AT:
        assert client.get(address(view)).status_code == 403, view
