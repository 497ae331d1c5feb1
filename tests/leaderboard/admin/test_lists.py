"""The lists of what the machinery did, the audit log, and the frame around all pages."""

import re
from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from config.admin.navigation import GROUPS
from leaderboard.models import Candidate, Job, Rebuild, Settlement, Version
from leaderboard.operations import verify_season
from leaderboard.operations.request_job import request_verification
from seasons.models import Season, Transition
from tests.factories import board, make_season
from tests.own_database import Once
from tests.people import chief, client_of, person, text_of

LISTS = [
    "seasons_transition",
    "leaderboard_version",
    "leaderboard_candidate",
    "leaderboard_settlement",
    "leaderboard_verification",
    "leaderboard_rebuild",
    "leaderboard_job",
]


class Played(NamedTuple):
    """Two seasons with a row in every list, and people who are logged in."""

    slug: str
    viewer: Client
    chief: Client


def play() -> Played:
    for slug in (make_season("season").slug, make_season("other").slug):
        found = Season.objects.get(slug=slug)
        board(slug, ann=5)
        verify_season(slug)
        Transition.objects.create(
            season=found, status="open", due_at=found.starts_at, actor="clock", reason=f"of {slug}"
        )
        Candidate.objects.create(season=found, version=2, through=2)
        Settlement.objects.create(
            season=found, settlement_id=f"run-{slug}", version=2, checksum="abc"
        )
        Rebuild.objects.create(
            season=found, source="ledger", replaces=1, done=25, total=100,
            swapped_at=datetime.now(UTC),
        )  # fmt: skip
        request_verification(slug, requested_by=person("operator"))
    return Played("season", client_of(person("viewer")), client_of(chief()))


@pytest.fixture
def played(once: Once) -> Played:
    """Let the test look at what was played."""
    return once(play)


@pytest.fixture
def season(database: str) -> str:
    """Give the test such seasons of its own, and return the slug of the first."""
    return play().slug


def url(model: str, view: str = "changelist") -> str:
    return reverse(f"admin:{model}_{view}")


@pytest.mark.parametrize("model", LISTS)
def test_each_list_shows_its_rows_newest_first(played: Played, model: str) -> None:
    page = text_of(played.viewer.get(url(model)))
    results = page[page.index('id="result_list"') :]
    assert results.index(">other<") < results.index(">season<")


@pytest.mark.parametrize("model", [model for model in LISTS if model != "leaderboard_job"])
@pytest.mark.parametrize("sought", ["season", "nowhere", "sea"])
def test_a_list_is_searched_by_the_exact_id_of_a_season(
    played: Played, model: str, sought: str
) -> None:
    page = text_of(played.viewer.get(url(model), {"q": sought}))
    assert (">season<" in page) == (sought == "season")
    assert ">other<" not in page


@pytest.mark.parametrize("model", LISTS)
def test_nothing_can_be_added_or_deleted_in_a_list(played: Played, model: str) -> None:
    client = played.chief
    page = text_of(client.get(url(model)))
    assert url(model, "add") not in page
    assert client.get(url(model, "add")).status_code == 403
    assert client.post(url(model), {"action": "delete_selected"}).status_code in {200, 302}
    assert client.post(url(model) + "1/delete/", {"post": "yes"}).status_code in {403, 404}


@pytest.mark.parametrize("model", LISTS)
def test_a_row_of_a_list_can_be_opened(played: Played, model: str) -> None:
    client = played.viewer
    page = text_of(client.get(url(model)))
    (first, *_) = re.findall(rf'href="({url(model)}\d+/change/)[^"]*"', page)
    text_of(client.get(first))
    assert client.post(first, {"reason": "x"}).status_code in {200, 403, 405}


def test_a_list_longer_than_a_page_goes_on(database: str) -> None:
    who = person("operator")
    for number in range(51):
        Job.objects.create(
            kind="verify_season", arguments={"slug": f"s-{number}"}, requested_by=who
        )
    client = client_of(person("viewer"))
    first = text_of(client.get(url("leaderboard_job")))
    assert ">s-50<" in first
    assert ">s-0<" not in first
    assert ">s-0<" in text_of(client.get(url("leaderboard_job"), {"p": "2"}))


def test_versions_show_how_long_they_were_on_their_way(played: Played) -> None:
    page = text_of(played.viewer.get(url("leaderboard_version")))
    assert "Sealed to published" in page
    assert Version.objects.count() == 4


def test_a_rebuild_shows_how_far_it_is(played: Played) -> None:
    assert "25 of 100 (25 %)" in text_of(played.viewer.get(url("leaderboard_rebuild")))


def test_the_audit_log_says_who_did_what_and_why(season: str) -> None:
    who = person("operator")
    client = client_of(who)
    address = reverse(
        "admin:seasons_season_act", args=[Season.objects.get(slug=season).id, "publish"]
    )
    client.post(address, {"reason": "<b>to look</b>"})
    page = text_of(client.get(url("admin_logentry")))
    assert "Publish now: &lt;b&gt;to look&lt;/b&gt;" in page
    assert who.username in page
    other = person("operator", name="somebody-else")
    assert "Publish now" not in text_of(client.get(url("admin_logentry"), {"q": other.username}))
    assert "Publish now" in text_of(client.get(url("admin_logentry"), {"q": who.username}))


def test_the_audit_log_cannot_be_changed(season: str) -> None:
    who = chief()
    LogEntry.objects.log_actions(who.pk, [who], 2, "kept", single_object=True)
    client = client_of(who)
    entry = LogEntry.objects.get()
    for what in ("change", "delete"):
        address = reverse(f"admin:admin_logentry_{what}", args=[entry.id])
        assert client.post(address, {"post": "yes", "change_message": "x"}).status_code == 403
    assert LogEntry.objects.get(id=entry.id).change_message == "kept"


def test_the_side_is_grouped_and_every_link_works(played: Played) -> None:
    client = played.chief
    page = text_of(client.get(reverse("admin:index")))
    for group, items in GROUPS.items():
        assert group in page
        for item in items:
            address = reverse(f"admin:{item.app}_{item.model}_{item.view}")
            assert f'href="{address}"' in page, item
            text_of(client.get(address))


def test_every_page_has_a_title_of_its_own(played: Played) -> None:
    client = played.chief
    for view in (
        "index",
        "seasons_season_changelist",
        "leaderboard_job_changelist",
        "password_change",
    ):
        (title,) = re.findall(
            r"<title>(.*?)</title>", text_of(client.get(url_of(view))), re.DOTALL
        )
        assert "None" not in title
        assert title.strip().endswith("| Laurel")
        assert len(title.strip()) > len("| Laurel")


def url_of(view: str) -> str:
    return reverse(f"admin:{view}")


@pytest.mark.parametrize(
    ("name", "colour"), [("production", "red"), ("staging", "orange"), ("my-laptop", "blue")]
)
def test_a_badge_names_the_installation(
    played: Played, monkeypatch: pytest.MonkeyPatch, name: str, colour: str
) -> None:
    monkeypatch.setattr(settings, "ENVIRONMENT_NAME", name)
    page = text_of(played.viewer.get(url_of("index")))
    assert re.search(rf"bg-{colour}-100[^>]*>\s*{name}", page)


def test_one_logs_in_and_out(database: str) -> None:
    User.objects.create_user("ann", password="correct horse", is_staff=True)
    client = Client()
    form = text_of(client.get(url_of("login")))
    assert "Laurel" in form
    assert "None" not in re.sub(r"<script.*?</script>", "", form, flags=re.DOTALL)
    wrong = text_of(client.post(url_of("login"), {"username": "ann", "password": "wrong"}))
    assert "Please enter the correct username and password" in wrong
    answer = client.post(url_of("login"), {"username": "ann", "password": "correct horse"})
    assert answer.status_code == 302
    text_of(client.get(url_of("index")))
    text_of(client.post(url_of("logout")))
    assert client.get(url_of("index")).status_code == 302


def test_a_superuser_makes_a_person_and_gives_a_role(database: str) -> None:
    client = client_of(chief())
    client.post(
        url_of("auth_user_add"),
        {"username": "mo", "password1": "correct horse 9", "password2": "correct horse 9",
         "usable_password": "true"},
    )  # fmt: skip
    made = User.objects.get(username="mo")
    text_of(client.get(reverse("admin:auth_user_change", args=[made.id])))
    made.groups.add(Group.objects.get(name="moderator"))
    assert made.has_perm("scores.add_correctionrequest")
    text_of(client.get(url_of("auth_group_changelist")))
