"""The ledger in the admin: newest first, page by page, and one event by its id."""

import re
from typing import Any

import pytest
from django.urls import reverse

from scores.models import Ledger
from scores.operations import WantedCorrection, approve_correction, request_correction
from seasons.models import Season
from tests.factories import apply, event, make_season, publish, unused_slug
from tests.people import client_of, person, text_of


def find(**asked: Any) -> str:
    address = reverse("admin:scores_ledger_changelist")
    return text_of(client_of(person("viewer")).get(address, asked))


def next_page(page: str) -> dict[str, str]:
    found = re.search(r'href="[^"]*\?([^"]*)" rel="next"', page)
    assert found is not None
    return dict(part.split("=") for part in found[1].replace("&amp;", "&").split("&"))


def shown_events(page: str) -> list[str]:
    return re.findall(r">(event-of-page-\d+)<", page)


def test_nothing_is_read_before_a_season_is_named(shared: str) -> None:
    assert "<table" not in find()


def test_a_walk_through_the_pages_meets_every_event_once(slug: str) -> None:
    for number in range(0, 120, 10):
        apply(slug, *(event(f"p-{n}", n, event_id=f"event-of-page-{n}")
                      for n in range(number, number + 10)))  # fmt: skip
        publish(slug)
    page = find(season=slug)
    met = shown_events(page)
    assert len(met) == 50
    while 'rel="next"' in page:
        page = find(**next_page(page))
        met += shown_events(page)
    assert sorted(met) == sorted(f"event-of-page-{n}" for n in range(120))
    rows = Ledger.objects.filter(namespace=Season.objects.get(slug=slug).ledger_namespace)
    assert met == list(rows.order_by("-epoch", "-id").values_list("event_id", flat=True))


def test_an_event_is_found_by_its_exact_id(slug: str) -> None:
    odd = f"m|{slug}:@x=1,~+y"
    apply(slug, event("ann", 50, event_id=odd, match_id="match-x"), event("bob", 60))
    page = find(season=slug, event=odd)
    assert f"Event {odd}" in page
    assert "match-x" in page
    assert "the match service&#x27;s" in page
    assert "improved" in page
    assert "has no event with the id" in find(season=slug, event=odd[:-1])


def test_an_event_of_our_own_is_found_too(slug: str) -> None:
    wanted = WantedCorrection(player_id="ann", kind="set", corrected_score=7, reason="typo")
    request = request_correction(slug, wanted, requested_by=person("moderator"))
    receipt = approve_correction(request.id, decided_by=person("approver"), reason="yes")
    page = find(season=slug, event=receipt.event_id)
    assert "correction (our own)" in page
    assert "typo" in page


def test_another_seasons_events_are_not_shown(slug: str) -> None:
    other = make_season(unused_slug()).slug
    apply(other, event("ann", 50, event_id="elsewhere"))
    assert "elsewhere<" not in find(season=slug)
    assert "has no event with the id" in find(season=slug, event="elsewhere")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"season": "nowhere"}, "There is no season with this id."),
        ({"season": "No!"}, "It must match"),
        ({"season": ""}, "This field is required."),
        ({"event": "a b"}, "It must match"),
        ({"event": "x" * 65}, "at most 64 characters"),
    ],
    ids=str,
)
def test_what_cannot_be_found_says_why(slug: str, asked: dict[str, str], says: str) -> None:
    assert says in find(**{"season": slug, **asked})


@pytest.mark.parametrize("place", ["x", "-1", "9" * 40, "1.5", ""])
def test_an_odd_place_is_the_beginning(slug: str, place: str) -> None:
    apply(slug, event("ann", 50, event_id="event-of-page-1"))
    assert shown_events(find(season=slug, epoch=place, id=place)) == ["event-of-page-1"]


def test_a_row_has_no_page_that_would_read_the_whole_ledger(slug: str) -> None:
    apply(slug, event("ann", 50))
    client = client_of(person("operator", "approver", "moderator"))
    for what in ("change", "delete", "history"):
        address = reverse("admin:scores_ledger_changelist") + f"1/{what}/"
        assert client.get(address).status_code == 404
